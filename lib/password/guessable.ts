import type { Match, MatchExtended, ZxcvbnFactory } from '@zxcvbn-ts/core';
import { invalid } from '../failure/failure.ts';
import type { Account } from '../item/account.ts';
import { searchForms } from '../text/search-forms.ts';
import { calendarWords } from './calendar.ts';
import type { NewPassword } from './hash.ts';
import { KINDS, withoutKnown } from './known-parts.ts';
import { namesIn } from './names.ts';

/** Passwords that need fewer guesses are refused; zxcvbn calls them very guessable. */
const MIN_GUESSES = 1e6;

/**
 * The same for what is left without all that a cracker knows, if it has letters: three that are no word. Digits that people add
 * are numbers of theirs.
 */
const MIN_GUESSES_LEFT = 1000;

const SEPARATORS = /[^\p{L}\p{M}\p{N}]+/gu;

/**
 * Guesses for each distinct separator. zxcvbn misses a word that has separators inside, and overrates a separator between
 * words as a further word: 10^8 guesses for `Sommer-2026!`.
 */
const PER_SEPARATOR = 5;

/** Distinct separators that people put between words; with more, they count as characters, in a row or not. */
const USUAL_SEPARATORS = 2;

const SERVICE = 'core-account';

/** The names of an account that a password must not consist of. */
export type Named = Pick<Account, 'username'> &
  Partial<Pick<Account, 'user_first_name' | 'user_last_name' | 'user_short'>>;

/**
 * Refuses a password that a cracker tries first, because it consists of the words that it knows (NIST SP 800-63B,
 * 5.1.1.2): names of the account of any length, of the service and of its owner, common passwords, keys in a row,
 * seasons, months, days, years, sequences and repeats. The estimate of the whole overrates many of them in a row, such as
 * `Kim_Kim_2024`, so what is left without them decides as well. The reason names their kinds.
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
    ...wordsOf([
      ...[username, user_first_name, user_last_name, user_short],
      // A name may be one letter, which is known in a row with another one only.
      ...[`${user_first_name}${user_last_name}`, `${user_last_name}${user_first_name}`],
    ]).map((word) => [word, 'names of the account'] as const),
  ]);
  const estimator = await loadEstimator();
  const estimate = (text: string) => estimator.check(text, [...names.keys()]);

  const bare = password.replace(SEPARATORS, '');
  const separators = [...new Set(password.match(SEPARATORS)?.join(''))];
  const texts = [
    { text: password, factor: 1 },
    ...(bare.length > password.length / 2
      ? [{ text: bare, factor: PER_SEPARATOR ** separators.length }]
      : []),
  ];
  const estimates = texts.map(({ text, factor }) => ({ ...estimate(text), factor }));
  const weak = estimates.find(
    ({ guesses, factor, sequence }) => guesses * factor * ofAlphabet(sequence) < MIN_GUESSES,
  );
  const kindsIn = (sequence: readonly MatchExtended[]) =>
    sequence.flatMap((match) => kindOf(match, names) ?? []);
  const kinds = weak ? kindsIn(weak.sequence) : [];
  if (kinds.length > 0) throw mainly(field, kinds);
  for (const { text } of texts) {
    const { left, kinds: taken } = withoutKnown(text, names);
    if (taken.length === 0) continue;
    const { guesses, sequence } = estimate(left);
    const isUsual = separators.length <= USUAL_SEPARATORS;
    const factor = isUsual ? 1 : estimate(separators.join('')).guesses / 10 ** USUAL_SEPARATORS;
    const least = isUsual && !/\p{L}/u.test(left) ? MIN_GUESSES : MIN_GUESSES_LEFT;
    if (guesses * factor * ofAlphabet(sequence) < least)
      throw mainly(field, [...taken, ...kindsIn(sequence)]);
  }
}

const mainly = (field: string, kinds: readonly string[]) =>
  invalid(field, `Must not consist mainly of ${LIST.format(new Set(kinds))}`);

const LIST = new Intl.ListFormat('en');

/** Names as people spell them in passwords: with and without diacritics and their digits. One letter is no name. */
const wordsOf = (texts: readonly string[]) =>
  namesIn(texts)
    .flatMap((name) => [name, ...name.split(/\P{L}+/u)])
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

const OF_PATTERN: Readonly<Record<string, string>> = {
  spatial: KINDS.keys,
  regex: KINDS.calendar,
  date: KINDS.calendar,
  sequence: KINDS.sequence,
};

/** The kind of a part in words; undefined for characters that are no word. */
function kindOf(match: MatchExtended, names: ReadonlyMap<string, string>): string | undefined {
  const { pattern, dictionaryName, matchedWord, baseToken } = match as Match;
  if (pattern === 'repeat') return names.get(baseToken.toLowerCase()) ?? KINDS.repeat;
  if (pattern !== 'dictionary') return OF_PATTERN[pattern];
  if (dictionaryName === 'common') return 'common passwords';
  return dictionaryName === 'calendar' ? KINDS.calendar : names.get(matchedWord);
}
