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

/**
 * The forms in which people search for a text, in this order: without diacritics (MULLER), and with German umlauts spelled
 * in two letters (MUELLER). Both ignore case, as Unicode folds it, and the encoding of letters (NFKD). A text is found by a
 * word if one of its forms contains the same form of the word.
 *
 * Upper case, unlike lower case, depends on no neighbour (final sigma) and spells ß as SS.
 */
export function searchForms(text: string): readonly [plain: string, german: string] {
  const decomposed = text.normalize('NFKD').toLowerCase().toUpperCase();
  // Most names are ASCII, and have one form.
  if (/^[ -~\n]*$/.test(decomposed)) return [decomposed, decomposed];
  return [withoutMarks(decomposed), withoutMarks(decomposed.replace(/(?<=[AOU])\u0308/g, 'E'))];
}

const withoutMarks = (decomposed: string) =>
  decomposed.replace(/[\u0300-\u036f]/g, '').replace(/[ÆĐÐĦŁŒØÞ]/g, (letter) => BASIC[letter] as string);
