import type { Match, MatchExtended, ZxcvbnFactory } from '@zxcvbn-ts/core';
import { invalid } from '../failure/failure.ts';
import type { Account } from '../item/account.ts';
import { searchForms } from '../text/search-forms.ts';
import { calendarWords } from './calendar.ts';
import type { NewPassword } from './hash.ts';
import { namesIn } from './names.ts';

/** Passwords that need fewer guesses are refused; zxcvbn calls them very guessable. */
const MIN_GUESSES = 1e6;

const SEPARATORS = /[^\p{L}\p{M}\p{N}]+/gu;

/**
 * Guesses for each distinct separator. zxcvbn misses a word that has separators inside, and overrates a separator between
 * words as a further word: 10^8 guesses for `Sommer-2026!`.
 */
const PER_SEPARATOR = 5;

const SERVICE = 'core-account';

/** The names of an account that a password must not consist of. */
export type Named = Pick<Account, 'username'> &
  Partial<Pick<Account, 'user_first_name' | 'user_last_name' | 'user_short'>>;

/**
 * Refuses a password that a cracker tries first, because it consists of the words that it knows (NIST SP 800-63B,
 * 5.1.1.2): names of the account of any length, of the service and of its owner, common passwords, keys in a row,
 * seasons, months, days, years, sequences and repeats. The reason names their kinds.
 *
 * @param owner name of the owner of the instance, empty without one
 * @param field name of the field in the failure
 * @throws Failure `invalid_request`
 */
export async function refuseGuessable(
  password: NewPassword,
  { username, user_first_name = '', user_last_name = '', user_short = '' }: Named,
  owner: string,
  field: string,
): Promise<void> {
  const names = new Map([
    ...wordsOf([SERVICE, owner]).map((word) => [word, 'the name of the service or of its owner'] as const),
    ...wordsOf([username, user_first_name, user_last_name, user_short]).map(
      (word) => [word, 'names of the account'] as const,
    ),
  ]);
  const estimator = await loadEstimator();
  const estimate = (text: string) => estimator.check(text, [...names.keys()]);

  const estimates = [{ ...estimate(password), factor: 1 }];
  const bare = password.replace(SEPARATORS, '');
  if (bare.length > password.length / 2) {
    const separators = new Set(password.match(SEPARATORS)?.join(''));
    estimates.push({ ...estimate(bare), factor: PER_SEPARATOR ** separators.size });
  }
  const weak = estimates.find(
    ({ guesses, factor, sequence }) => guesses * factor * ofAlphabet(sequence) < MIN_GUESSES,
  );
  if (!weak) return;
  const kinds = new Set(weak.sequence.flatMap((match) => kindOf(match, names) ?? []));
  if (kinds.size > 0) throw invalid(field, `Must not consist mainly of ${LIST.format(kinds)}`);
}

const LIST = new Intl.ListFormat('en');

/** Names as people spell them in passwords: with and without diacritics. One letter is no name. */
const wordsOf = (texts: readonly string[]) =>
  namesIn(texts)
    .flatMap((name) => [name, ...searchForms(name).map((form) => form.toLowerCase())])
    .filter((name) => name.length > 1);

/** zxcvbn counts ten guesses for any character, as if there were no other alphabets than ASCII. */
const ofAlphabet = (sequence: readonly MatchExtended[]) =>
  sequence
    .filter(({ pattern }) => pattern === 'bruteforce')
    .reduce((factor, { token }) => factor * 10 ** (Buffer.byteLength(token) - token.length), 1);

let estimator: Promise<ZxcvbnFactory> | undefined;
const loadEstimator = () => {
  estimator ??= createEstimator();
  return estimator;
};

/** Loaded for the first password: functions start without it. */
async function createEstimator(): Promise<ZxcvbnFactory> {
  const [core, { dictionary, adjacencyGraphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  const { qwerty, qwertz, azerty } = adjacencyGraphs;
  return new core.ZxcvbnFactory({
    dictionary: { common: dictionary['passwords-common'], calendar: calendarWords() },
    graphs: { qwerty, qwertz, azerty },
  });
}

const CALENDAR = 'seasons, months, days or years';
const KINDS: Readonly<Record<string, string>> = {
  spatial: 'keys in a row',
  regex: CALENDAR,
  date: CALENDAR,
  sequence: 'a sequence such as 1234',
};

/** The kind of a part in words; undefined for characters that are no word. */
function kindOf(match: MatchExtended, names: ReadonlyMap<string, string>): string | undefined {
  const { pattern, dictionaryName, matchedWord, baseToken } = match as Match;
  if (pattern === 'repeat') return names.get(baseToken.toLowerCase()) ?? 'repeated characters';
  if (pattern !== 'dictionary') return KINDS[pattern];
  if (dictionaryName === 'common') return 'common passwords';
  return dictionaryName === 'calendar' ? CALENDAR : names.get(matchedWord);
}
