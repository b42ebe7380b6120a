import { csvLine, type Separator } from '#lib/text/csv';

/** Records as CSV, with a header line; nothing without records. */
export function csvText(records: readonly object[], separator?: Separator): string {
  const columns = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const rows = records.map((record) => columns.map((name) => (record as Record<string, unknown>)[name]));
  return columns.length > 0 ? [columns, ...rows].map((row) => csvLine(row, separator)).join('') : '';
}
