import { escapeControls } from '#lib/control-characters';

/** A formula, which a spreadsheet carries out; a phone number is none. */
const FORMULA = /^[=@]|^[+-](?![\d ()./-]*$)/;

/** Records as CSV (RFC 4180), with a header line; nothing without records. */
export function csvText(records: readonly object[]): string {
  const columns = Object.keys(Object.assign({}, ...records));
  const rows = records.map((record) => columns.map((name) => (record as Record<string, unknown>)[name]));
  return [columns, ...rows].map((row) => (row.length > 0 ? `${row.map(cell).join(',')}\n` : '')).join('');
}

function cell(value: unknown = null): string {
  const text = escapeControls(
    typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value),
  );
  return `"${FORMULA.test(text) ? "'" : ''}${text.replaceAll('"', '""')}"`;
}
