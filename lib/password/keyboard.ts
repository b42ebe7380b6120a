/** Rows of keys, from the digits down, of the most common layouts: English, German and French. */
const LAYOUTS = [
  ['1 2 3 4 5 6 7 8 9 0', 'q w e r t y u i o p', 'a s d f g h j k l', 'z x c v b n m'],
  ['1 2 3 4 5 6 7 8 9 0', 'q w e r t z u i o p ü', 'a s d f g h j k l ö ä', 'y x c v b n m'],
  ['1 2 3 4 5 6 7 8 9 0', 'a z e r t y u i o p', 'q s d f g h j k l m', 'w x c v b n'],
];

/** Rows of other layouts: Dvorak, Colemak and Russian. */
const ROWS = [
  ...['p y f g c r l', 'a o e u i d h t n s', 'q j k x b m w v z'],
  ...['q w f p g j l u y', 'a r s t d h n e i o', 'z x c v b k m'],
  ...['й ц у к е н г ш щ з х ъ', 'ф ы в а п р о л д ж э', 'я ч с м и т ь б ю'],
];

/** Columns of a number pad. */
const PAD = ['147', '258', '369'];

const keysOf = (row: string) => row.split(' ');

/** The columns of a layout, which lean. */
const columnsOf = (rows: readonly string[]) =>
  keysOf(rows[0] ?? '').map((_, at) => rows.map((row) => keysOf(row)[at] ?? '').join(''));

/** The lines of keys along which fingers walk. */
export function keyboardLines(): readonly string[] {
  const rows = [...LAYOUTS.flat(), ...ROWS].map((row) => keysOf(row).join(''));
  return [...new Set([...rows, ...LAYOUTS.flatMap(columnsOf), ...PAD])];
}
