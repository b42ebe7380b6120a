import { expect, test } from 'vitest';
import { finder, searchForms } from '#lib/text/search-forms';

/** Whether a search for a word finds a name. */
const finds = (name: string, word: string) => finder(word)(name);

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
  ['Seán O’Brien', "O'Brien", 'o’brien', 'O‘Brien', 'OʼBrien', 'O´Brien', 'O`Brien', 'O′Brien', 'O＇Brien'],
  ["d'Arcy", 'd’Arcy', 'd´arcy', 'Dʹarcy', 'd᾽arcy', 'dꞌarcy', 'd‛arcy'],
  ['Anne‐Marie Krämer', 'anne-marie', 'Anne–Marie', 'anne—marie', 'anne‑marie', 'Anne−Marie', 'anne－marie'],
  ['Smith-Jones', 'smith‐jones', 'Smith‒Jones', 'smith―jones', 'Smith﹣Jones', 'smith⁃jones', 'Smith˗Jones'],
  ['Ada “Countess” L', '"countess"', '«Countess»', '„countess‟'],
  ['Gal·la', 'gal•la', 'Gaŀla', 'GAL∙LA'],
  ['ジャン・ポール', 'ジャン･ホール', 'シャン·ポール'],
  ['مُحَمَّد', 'محمد', 'محـمد', 'مُحمد'],
  ['محمد', 'مُحَمَّد'],
  ['אַבְרָהָם', 'אברהם'],
  ['בן־גוריון', 'בן-גוריון'],
  ['צ׳רלס', "צ'רלס", 'צ’רלס'],
  ['राम कृष्ण', 'राम', 'कष्ण', 'कृष्ण'],
  ['สมชาย', 'สมชาย'],
  ['Jo\u200bhn Mc\u00adDo\u2060wd', 'john', 'McDowd', 'j\u200dohn'],
  ['Smith', 'Smi\u200bth', '\ufeffsmith', 'smith\u200e', 's\u2068m\u2069ith', '\u3000smith\u00a0'],
  ['王\u3000小明', '小明', '王'],
])('a search finds %s by each usual spelling', (name, ...words) => {
  expect(words.filter((word) => !finds(name, word))).toEqual([]);
});

test.each([
  ['Muller', 'mueller'],
  ['Größ', 'gruss'],
  ['Müller', 'mieller'],
  ["O'Brien", 'obrien'],
  ['Anne-Marie', 'anne_marie'],
  ['ラーメン', 'ラ-メン'],
  ['Ada Byron', 'ada king'],
])('a search does not find %s by %s', (name, word) => {
  expect(finds(name, word)).toBe(false);
});

test('a search without a word finds every text', () => {
  for (const query of ['', ' ', '\u200b', '\u0301']) expect(finds('Ada', query)).toBe(true);
});

/** Accents that are an apostrophe in a search; as compatible characters, they are a space and a mark. */
const APOSTROPHES = [...'\u00b4\u0384\u1fbd\u1fbf\u1ffd\u1ffe'];

test('every character has the forms of its lower and upper case, and of its compatible characters', () => {
  const same = (one: string) => [one.toLowerCase(), one.toUpperCase(), one.normalize('NFKC')];
  const differs = (one: string) =>
    same(one).some((other) => other !== one && `${searchForms(other)}` !== `${searchForms(one)}`);
  const characters = Array.from({ length: 0x1f200 }, (_, code) => String.fromCodePoint(code));
  const others = characters.filter((one) => one.isWellFormed() && !APOSTROPHES.includes(one));
  expect(others.filter(differs)).toEqual([]);
  expect(APOSTROPHES.map((one) => searchForms(one)[0])).toEqual(APOSTROPHES.map(() => "'"));
});

test('every dash of Unicode is a hyphen, and every mark and invisible character is absent', () => {
  const all = Array.from({ length: 0x20000 }, (_, code) => String.fromCodePoint(code));
  const formsOf = (class_: RegExp) => [
    ...new Set(all.filter((one) => class_.test(one)).map((one) => searchForms(one)[0])),
  ];
  expect(formsOf(/\p{Pd}/u)).toEqual(['-']);
  // The capital of the Greek iota below is a letter.
  expect(formsOf(/[\p{M}\p{DI}]/u)).toEqual(['', 'Ι']);
});
