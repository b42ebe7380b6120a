import { escapeControls } from '#lib/text/control-characters';
import { cellText, csvLine, type Separator } from '#lib/text/csv';

/** Text for people in place of the fields of the JSON. */
interface ForPeople {
  /** Printed on standard error. */
  readonly text?: string;
  /** Printed on standard output: a list, or a secret alone. */
  readonly stdout?: string;
  /** The command did its work, but exits with 1. */
  readonly hasFailed?: boolean;
}

/** The result of a command that people read in another form than as the fields of its JSON. */
export class Output {
  readonly json: unknown;
  readonly people: ForPeople;
  /** Rows of CSV, by default the JSON. */
  readonly rows: readonly object[] | undefined;

  constructor(json: unknown, people: ForPeople, rows?: readonly object[]) {
    this.json = json;
    this.people = people;
    this.rows = rows;
  }
}

/** A list, one line an item for people; by default its fields. */
export const listed = (
  json: readonly object[],
  lines = json.map((it) => Object.values(it).map(cell).join('  ')),
  rows?: readonly object[],
) =>
  new Output(
    json,
    lines.length > 0 ? { stdout: lines.map(escapeControls).join('\n') } : { text: '(none)' },
    rows,
  );

/** The form in which a command prints its result. */
export interface Format {
  readonly json?: true;
  readonly csv?: true;
  readonly xlsx?: true;
  readonly separator?: Separator;
}

/**
 * Prints the result of a command; answers the text for people. Standard output gets one JSON document with `--json`, records
 * with `--csv` or as a workbook, otherwise a list or a secret. Standard error gets other text for people.
 */
export async function print(result: unknown, { json, csv, xlsx, separator }: Format): Promise<ForPeople> {
  const people = peopleOf(result);
  if (json) console.log(jsonText(jsonOf(result)));
  else if (xlsx) await printWorkbook(rowsOf(result));
  else if (csv) process.stdout.write(csvText(rowsOf(result), separator));
  else {
    if (people.text !== undefined) console.error(people.text);
    if (people.stdout !== undefined) console.log(people.stdout);
  }
  return people;
}

/** The names of the fields that records have, and their values. */
function tableOf(records: readonly object[]) {
  const columns = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const rows = records.map((record) => columns.map((name) => (record as Record<string, unknown>)[name]));
  return { columns, rows };
}

/** Records as CSV, with a header line; nothing without records. */
export function csvText(records: readonly object[], separator?: Separator): string {
  const { columns, rows } = tableOf(records);
  return columns.length > 0 ? [columns, ...rows].map((row) => csvLine(row, separator)).join('') : '';
}

/** Writes records as a workbook, with a row of names. */
async function printWorkbook(records: readonly object[]) {
  const { workbook } = await import('#lib/text/workbook');
  const { columns, rows } = tableOf(records);
  const cells = [columns, ...rows].map((row) => row.map(cellText));
  for await (const part of workbook(cells, columns.length)) process.stdout.write(part);
}

/** JSON that a terminal shows as it is, with the same value. */
export const jsonText = (value: unknown) => escapeControls(JSON.stringify(value));

function peopleOf(result: unknown): ForPeople {
  if (result instanceof Output) return result.people;
  return Array.isArray(result) ? listed(result).people : { text: readable(result) };
}

export const jsonOf = (result: unknown) =>
  (result instanceof Output ? result.json : result) as { readonly changed?: boolean } | undefined;

const rowsOf = (result: unknown) =>
  (result instanceof Output && result.rows) || ([jsonOf(result)].flat() as object[]);

/** A record as aligned lines. */
export function readable(record: unknown): string {
  const entries = Object.entries(record as object);
  const width = Math.max(...entries.map(([key]) => key.length));
  return entries.map(([key, value]) => `${key.padEnd(width)}  ${escapeControls(cell(value))}`).join('\n');
}

function cell(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ') || '(none)';
  // Contracts also have times in UTC without a zone, and with an offset; a terminal shows one form.
  return typeof value === 'object'
    ? JSON.stringify(value)
    : String(value).replace(/^(\d{4}-\d\d-\d\dT[\d:.]+)(\+00:00)?$/, '$1Z');
}
