import { searchForms } from '../text/search-forms.ts';
import { calendarWords } from './calendar.ts';
import { keyboardLines } from './keyboard.ts';

/** Kinds of what a cracker knows, as reasons name them. */
export const KINDS = {
  calendar: 'seasons, months, days or years',
  keys: 'keys in a row',
  repeat: 'repeated characters',
  sequence: 'a sequence such as 1234',
} as const;

/** Kinds of what has no letters that digits could stand for. */
const LINES: readonly string[] = [KINDS.keys, KINDS.sequence];

/** Kinds of known words, by the words in lower case. */
export type Words = ReadonlyMap<string, string>;

/** Shorter lines of keys, sequences and repeats occur by chance. */
const MIN_LINE = 3;

const SEQUENCES = ['01234567890', '02468', '13579', 'abcdefghijklmnopqrstuvwxyz'];

/** Years, and dates in the order of each country. */
const [YEAR, MONTH, DAY] = ['(?:19|20)\\d\\d', '(?:0[1-9]|1[0-2])', '(?:0[1-9]|[12]\\d|3[01])'];
const DATES = [YEAR, YEAR + MONTH + DAY, DAY + MONTH + YEAR, MONTH + DAY + YEAR].map(
  (form) => new RegExp(`^${form}`),
);

/** Longer names have parts. */
const MAX_WORD = 30;

/** Digits and signs that stand for letters; 1 stands for two. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ '0': 'o', '1': 'i', '2': 'z', '3': 'e', '4': 'a', '5': 's', '6': 'g', '7': 't', '8': 'b', '9': 'g' },
  ...{ '@': 'a', $: 's', '!': 'i', '+': 't' },
};

const folded = (text: string) => searchForms(text)[0].toLowerCase();

const reversed = (text: string) => [...text].reverse().join('');

/** Every part of a line that is long enough. */
const partsOf = (line: string): string[] =>
  [...line].flatMap((_, start) =>
    Array.from({ length: Math.max(0, line.length - start - MIN_LINE + 1) }, (_, more) =>
      line.slice(start, start + MIN_LINE + more),
    ),
  );

let common: Words | undefined;
/** Words that are known for every account; built for the first password. */
const commonWords = (): Words => {
  common ??= new Map([
    ...keyboardLines()
      .map(folded)
      .flatMap(partsOf)
      .map((part) => [part, KINDS.keys] as const),
    ...SEQUENCES.flatMap(partsOf).map((part) => [part, KINDS.sequence] as const),
    ...calendarWords().map((word) => [word, KINDS.calendar] as const),
  ]);
  return common;
};

/** Pictures are no separators: nobody types them between words only. */
const kindOfCharacter = (one: string) =>
  /[\p{L}\p{So}]/u.test(one) ? 'letter' : /\p{N}/u.test(one) ? 'digit' : 'sign';

/** The folded code units of a password, each with the kind of its character. */
const unitsOf = (password: string) =>
  [...password].flatMap((one) =>
    [...folded(one)].flatMap((character) =>
      character
        .split('')
        .map((unit) => ({ unit, kind: kindOfCharacter(character), isCapital: one !== one.toLowerCase() })),
    ),
  );

/** A way through the first characters of a password. */
interface Way {
  /** What is left of them. */
  readonly left: string;
  readonly kinds: readonly string[];
}

/**
 * Takes away what a cracker knows: names, keys in a row, calendar words, years, sequences, repeats, and signs between them; in
 * any case, in both directions, and with digits for letters. A word is taken away only if it stands apart: words that are left
 * begin and end where letters, digits, signs and capitals meet, so a short name inside a word is no part.
 *
 * @param names further known words
 * @returns the least that can be left, and the kinds of what was taken away
 */
export function withoutKnown(password: string, names: Words): Way {
  const units = unitsOf(password);
  const plain = units.map(({ unit }) => unit).join('');
  const spellings = [plain, ...['i', 'l'].map((one) => inLetters(plain, one))];
  const isApart = (at: number) => {
    const [before, next] = [units[at - 1], units[at]];
    return before?.kind !== next?.kind || (!before?.isCapital && next?.isCapital);
  };

  const ways: (Way | undefined)[] = [{ left: '', kinds: [] }];
  const offer = (at: number, way: Way) => {
    const before = ways[at];
    if (!before || way.left.length < before.left.length) ways[at] = way;
  };
  for (let at = 0; at < plain.length; at++) {
    const way = ways[at];
    if (!way) continue;
    const isSign = units[at]?.kind === 'sign';
    if (isSign) offer(at + 1, way);
    for (const [length, kind] of knownAt(spellings, at, names))
      offer(at + length, { ...way, kinds: [...way.kinds, kind] });
    if (isSign || !isApart(at)) continue;
    let end = at + 1;
    while (end < plain.length && !isApart(end)) end++;
    offer(end, { ...way, left: way.left + plain.slice(at, end) });
  }
  return ways[plain.length] as Way;
}

const inLetters = (plain: string, ofOne: string) =>
  [...plain].map((one) => (one === '1' ? ofOne : (LETTERS[one] ?? one))).join('');

/** The lengths and kinds of what is known at a place of a password, in each of its spellings. */
function knownAt(spellings: readonly string[], at: number, names: Words): (readonly [number, string])[] {
  const found: (readonly [number, string])[] = [];
  const [plain = ''] = spellings;
  const rest = plain.slice(at);
  for (const form of DATES) {
    const [date] = form.exec(rest) ?? [];
    if (date !== undefined) found.push([date.length, KINDS.calendar]);
  }
  const [repeat = ''] = /^(.)\1{2,}/u.exec(rest) ?? [];
  for (let length = MIN_LINE; length <= repeat.length; length++) found.push([length, KINDS.repeat]);
  for (let length = 2; length <= Math.min(rest.length, MAX_WORD); length++)
    for (const spelling of spellings) {
      const word = spelling.slice(at, at + length);
      if (spelling !== plain && !/\p{L}/u.test(plain.slice(at, at + length))) continue;
      for (const each of [word, reversed(word)]) {
        const kind = names.get(each) ?? commonWords().get(each);
        if (kind !== undefined && (spelling === plain || !LINES.includes(kind))) found.push([length, kind]);
      }
    }
  return found;
}
