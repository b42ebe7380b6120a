import { escapeControls } from './control-characters.ts';

/** Separators of cells by their names: spreadsheets expect that of their language. */
export const SEPARATORS = { comma: ',', semicolon: ';', tab: '\t' } as const;

export type Separator = keyof typeof SEPARATORS;

/** Begin a cell: each of the separators is that of spreadsheets in some language or dialog, whatever the quotes are. */
const BEGIN = String.raw`(?:^|[,;|\t\r\n])[\p{Zs}"]*`;

/** Makes a spreadsheet run the cell, in some languages also in full width. */
const FORMULA = "'*[=+\\-@＝＋－＠]";

const UNGUARDED = new RegExp(`${BEGIN}(?=${FORMULA})`, 'gu');
const GUARDED = new RegExp(`(${BEGIN})'(?=${FORMULA})`, 'gu');

const isNumber = (text: string) => /^[+\-＋－][\d ()./-]*$/.test(text);

/** A line of CSV (RFC 4180), in which a spreadsheet calculates nothing: an apostrophe guards what begins like a formula. */
export const csvLine = (values: readonly unknown[], separator: Separator = 'comma') =>
  `${values.map(cell).join(SEPARATORS[separator])}\n`;

function cell(value: unknown = null): string {
  const text = escapeControls(
    typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value),
  );
  const guarded = isNumber(text) ? text : text.replace(UNGUARDED, "$&'");
  return `"${guarded.replaceAll('"', '""')}"`;
}

/** The value of a cell that {@link csvLine} wrote, except for control characters: they stay escaped. */
export const withoutGuards = (text: string) => text.replace(GUARDED, '$1');
