import { expect, test } from 'vitest';
import { searchForms } from '#lib/text/search-forms';

/** Whether a search for a word finds a name. */
function finds(name: string, word: string): boolean {
  const [plain, german] = searchForms(word);
  return searchForms(name)[0].includes(plain) || searchForms(name)[1].includes(german);
}

test.each<[name: string, ...words: string[]]>([
  ['Größ', 'größ', 'GRÖSS', 'groess', 'gross', 'GRÖß', 'GRÖẞ'],
  ['Müller', 'muller', 'mueller', 'MÜLLER', 'u\u0308ll'],
  ['Mueller', 'müller', 'MUELL', 'eller'],
  ['Muller', 'müller', 'muller'],
  ['ΝΙΚΟΣΤΡΑΤΟΣ', 'ΝΙΚΟ', 'ΝΙΚΟΣ', 'νικος', 'νικοσ'],
  ['Νίκος', 'νικος', 'ΝΙΚΟΣ', 'νίκοσ'],
  ['Straße', 'STRASSE', 'strasse', 'straße'],
  ['Łukasz Ødegård Æsir', 'lukasz', 'odegard', 'aesir', 'ØDEGÅRD'],
  ['Đặng Þór', 'dang', 'thor', 'đặng'],
  ['Işık İnan', 'isik', 'inan', 'IŞIK'],
  ['Андрей', 'андрей', 'АНДРЕИ'],
  ['Ｊｏｈｎ ﬁsh', 'john', 'fish'],
])('a search finds %s by each usual spelling', (name, ...words) => {
  expect(words.filter((word) => !finds(name, word))).toEqual([]);
});

test.each([
  ['Muller', 'mueller'],
  ['Größ', 'gruss'],
  ['Müller', 'mieller'],
])('a search does not find %s by %s', (name, word) => {
  expect(finds(name, word)).toBe(false);
});

test('every character has the forms of its lower and upper case, and of its compatible characters', () => {
  const same = (one: string) => [one.toLowerCase(), one.toUpperCase(), one.normalize('NFKC')];
  const differs = (one: string) =>
    same(one).some((other) => other !== one && `${searchForms(other)}` !== `${searchForms(one)}`);
  const characters = Array.from({ length: 0x1f200 }, (_, code) => String.fromCodePoint(code));
  expect(characters.filter((one) => one.isWellFormed() && differs(one))).toEqual([]);
});
