import { escapeControls } from './control-characters.ts';

/** Text that a spreadsheet runs as a formula, in some languages also in full width; no phone number. */
const FORMULA = /^[=@＝＠]|^[+\-＋－](?![\d ()./-]*$)/;

/** A line of CSV (RFC 4180), in which a spreadsheet calculates nothing. */
export const csvLine = (values: readonly unknown[]) => `${values.map(cell).join(',')}\n`;

function cell(value: unknown = null): string {
  const text = escapeControls(
    typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value),
  );
  return `"${FORMULA.test(text) ? "'" : ''}${text.replaceAll('"', '""')}"`;
}
