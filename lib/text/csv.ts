import { escapeControls } from './control-characters.ts';
import { isConverted } from './conversion.ts';

/** Separators of cells by their names: spreadsheets expect that of their language. */
export const SEPARATORS = { comma: ',', semicolon: ';', tab: '\t' } as const;

export type Separator = keyof typeof SEPARATORS;

/** Begin a cell: each of the separators is that of spreadsheets in some language or dialog, whatever the quotes are. */
const BEGIN = String.raw`(?:^|[,;|\t\r\n])[\p{Zs}"]*`;

/** Makes a spreadsheet run the cell, in some languages also in full width. */
const FORMULA = "'*[=+\\-@＝＋－＠]";

const UNGUARDED = new RegExp(`${BEGIN}(?=${FORMULA})`, 'gu');
const GUARDED = new RegExp(`(${BEGIN})'(?=${FORMULA})`, 'gu');

/** A telephone number that no spreadsheet calculates, since spaces or parentheses are between its digits. */
const isTelephone = (text: string) =>
  /^[+\-＋－](?:[\d ()./-]*(?:\d \d|\d ?\(|\) ?\d)[\d ()./-]*)?$/.test(text);

/** Whether an apostrophe guards the whole of a text, which may begin with others. */
const isGuarded = (text: string) => isConverted(text.replace(/^'+/, ''));

function guarded(text: string): string {
  if (isGuarded(text)) return `'${text}`;
  return isTelephone(text) ? text : text.replace(UNGUARDED, "$&'");
}

/**
 * A line of CSV (RFC 4180), in which a spreadsheet calculates and converts no text: an apostrophe guards what begins like a
 * formula, and what looks like a number, a date or a truth value.
 */
export const csvLine = (values: readonly unknown[], separator: Separator = 'comma') =>
  `${values.map(cell).join(SEPARATORS[separator])}\n`;

/** A value as the text of a cell: control characters are escaped, and others than texts are JSON. */
export const cellText = (value: unknown = null): string =>
  escapeControls(typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value));

function cell(value: unknown): string {
  const text = cellText(value);
  // Numbers and truth values may be converted: they are read again from either form.
  const isPlain = typeof value === 'number' || typeof value === 'boolean';
  return `"${(isPlain ? text : guarded(text)).replaceAll('"', '""')}"`;
}

/** The value of a cell that {@link csvLine} wrote, except for control characters: they stay escaped. */
export const withoutGuards = (text: string) =>
  text.startsWith("'") && isGuarded(text) ? text.slice(1) : text.replace(GUARDED, '$1');
