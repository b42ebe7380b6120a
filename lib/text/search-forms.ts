/** Letters in upper case that Unicode does not decompose, although people search for them by basic letters. */
const BASIC: Readonly<Record<string, string>> = {
  Æ: 'AE',
  Đ: 'D',
  Ð: 'D',
  Ħ: 'H',
  Ł: 'L',
  Œ: 'OE',
  Ø: 'O',
  Þ: 'TH',
};

/** Accents that people type for an apostrophe, and that Unicode decomposes into a space and a mark. */
const ACCENTS = /[\u00b4\u0384\u1fbd\u1fbf\u1ffd\u1ffe]/g;

/** Characters that look alike in names, by the one that stands for them. */
const ALIKE: Readonly<Record<string, string>> = {
  // The grave accent; modifier letters, quotation marks and primes; apostrophes of Armenian, Hebrew, N'Ko and the saltillo.
  "'": '`\u02b9\u02bb\u02bc\u02bd\u02be\u02bf\u02c8\u02ca\u02cb\u055a\u05f3\u07f4\u07f5\u2018\u2019\u201a\u201b\u2032\u2035\ua78b\ua78c',
  '"': '\u00ab\u00bb\u05f4\u201c\u201d\u201e\u201f\u301d\u301e\u301f',
  // The dashes of all scripts that NFKD leaves, the hyphen bullet, the modifier letter and the minus.
  '-': '\u02d7\u058a\u05be\u1400\u1806\u2010\u2012\u2013\u2014\u2015\u2043\u2212\u2796\u2e17\u2e1a\u2e3a\u2e3b\u2e40\u2e5d\u301c\u3030\u30a0\u{10d6e}\u{10ead}',
  '\u00b7': '\u2022\u2027\u2219\u22c5\u30fb',
  '/': '\u2044\u2215',
};

/** What stands for a character; nothing for marks, characters without a glyph, and the stroke that lengthens Arabic letters. */
const STANDS_FOR: Readonly<Record<string, string>> = {
  ...BASIC,
  ...Object.fromEntries(Object.entries(ALIKE).flatMap(([one, all]) => [...all].map((each) => [each, one]))),
};
const FOLDING = new RegExp(`[\\p{M}\\p{DI}\\u0640${Object.keys(STANDS_FOR).join('')}]`, 'gu');

/** Texts for which nothing else stands: ASCII without the grave accent. */
const PLAIN = /^[ -_a-~\n]*$/;

function folded(decomposed: string): string {
  // The marks of most names; with them in the larger pattern, a search takes twice as long.
  const bare = decomposed.replace(/[\u0300-\u036f]/g, '');
  return PLAIN.test(bare) ? bare : bare.replace(FOLDING, (one) => STANDS_FOR[one] ?? '');
}

/**
 * The forms in which people search for a text, in this order: without diacritics (MULLER), and with German umlauts spelled
 * in two letters (MUELLER). Both ignore case, as Unicode folds it, the encoding of letters (NFKD), marks of every script, and
 * invisible characters; punctuation that looks alike is the same. A text is found by a word if one of its forms contains the
 * same form of the word.
 *
 * Upper case, unlike lower case, depends on no neighbour (final sigma) and spells ß as SS.
 */
export function searchForms(text: string): readonly [plain: string, german: string] {
  // Most names are ASCII, and have one form.
  if (PLAIN.test(text)) {
    const upper = text.toUpperCase();
    return [upper, upper];
  }
  const decomposed = text.replace(ACCENTS, "'").normalize('NFKD').toLowerCase().toUpperCase();
  const plain = folded(decomposed);
  if (!decomposed.includes('\u0308')) return [plain, plain];
  return [plain, folded(decomposed.replace(/(?<=[AOU])\u0308/g, 'E'))];
}

/** Whether a form of a text has a word. */
type Has = (form: string, word: string) => boolean;

/**
 * The function that decides whether a text has each word of a query in one of their {@link searchForms}; every text has the
 * words of an empty query.
 */
export function finder(query: string, has: Has = (form, word) => form.includes(word)) {
  const words = query
    .split(/\p{White_Space}+/u)
    .map(searchForms)
    .filter(([plain]) => plain !== '');
  return (text: string): boolean => {
    const [plain, german] = searchForms(text);
    return words.every(
      ([one, other]) => has(plain, one) || ((plain !== german || one !== other) && has(german, other)),
    );
  };
}
