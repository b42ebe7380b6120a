import type { CsvError, Options } from 'csv-parse';
import { withoutGuards } from '../../text/csv.ts';
import { isForPeople, LISTS, SECRETS, SWITCHES } from './columns.ts';
import { readHead } from './head.ts';
import { DAMAGED, type FileLine, faultIn, type Head, isDamaged, strictJson, wrong } from './line.ts';

/** A row as `csv-parse` reads it. */
export interface Row {
  readonly record: readonly string[];
  readonly raw: string;
  /** The line on which it ends. */
  readonly info: { readonly lines: number };
}

/** Parses text, of which each part has whole lines, with these options. */
export type RowReader = (
  text: AsyncIterable<string>,
  options: Options,
) => AsyncIterable<Row> | Promise<Iterable<Row>>;

/** The names in a text, which spaces separate. */
export const namesIn = (text = '') => text.split(/\s+/).filter(Boolean);

/** Takes the first line off a text. */
function split(text: string): [line: string, rest: string] {
  const end = text.indexOf('\n');
  return end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end + 1)];
}

/** Matches a row whose quotes enclose whole cells, and are doubled within them; spreadsheets read others differently. */
function strictRow(separator: string) {
  const cell = `(?:"[^"]*(?:""[^"]*)*"|[^"${separator}\n]*)`;
  return new RegExp(`^${cell}(?:${separator}${cell})*$`);
}

const QUOTES = 'Must have quotation marks around a whole cell, and doubled within it';

/** A raw row without the ends of lines around it. */
const textOf = (raw: string) => raw.replace(/^\n|\n$/g, '');

/** Reads the accounts of CSV, and after them what follows a quote that is not closed. */
export async function* csvLines(parts: AsyncGenerator<string>, rowsOf: RowReader): AsyncGenerator<FileLine> {
  let [first, rest] = split((await parts.next()).value ?? '');
  // Excel's own line for the separator.
  const [, separator] = /^"?sep=([,;\t])"?$/i.exec(first) ?? [];
  if (separator) [first, rest] = split(rest);
  const before = separator ? 2 : 1;
  const { head, errors } = readHead(first, separator);
  if (errors.length > 0) return yield { line: before, errors };
  const strict = strictRow(head.separator);
  async function* content() {
    yield rest;
    yield* parts;
  }
  const open: FileLine[] = [];
  const rows = await rowsOf(content(), {
    info: true,
    raw: true,
    delimiter: head.separator,
    record_delimiter: '\n',
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    // Such as the rest of a file after a quote that is not closed.
    skip_records_with_error: true,
    on_skip: (error, raw = '') => {
      const { code, lines } = error as CsvError;
      const text = textOf(raw);
      const line = Number(lines) + before - text.split('\n').length + 1;
      // Its message may quote a cell.
      const message =
        code === 'CSV_QUOTE_NOT_CLOSED' ? 'Has a quotation mark that is not closed' : `Must be CSV (${code})`;
      open.push({ line, text, head, ...wrong(message) });
      return undefined;
    },
  });
  for await (const { record, raw, info } of rows) {
    if (record.every((cell) => cell === '')) continue;
    const text = textOf(raw);
    const content = strict.test(text) ? ofRow(record, head) : wrong(QUOTES);
    yield { line: info.lines + before, text, head, ...content };
  }
  yield* open;
}

/** A row as a value; empty cells are ignored. */
function ofRow(row: readonly string[], { columns }: Head): Pick<FileLine, 'value' | 'errors'> {
  if (row.length < columns.length || row.slice(columns.length).some(Boolean))
    return wrong('Must have as many cells as the line that names the columns', columns[row.length]);
  const cells = row.flatMap((cell, index) => {
    const name = columns[index] ?? '';
    return cell === '' || isForPeople(name) ? [] : [{ name, cell, index }];
  });
  if (cells.some(({ cell }) => isDamaged(cell))) return wrong(DAMAGED);
  const unnamed = cells.find(({ name }) => name === '');
  if (unnamed) return wrong('Is in a column without a name', `column ${unnamed.index + 1}`);
  try {
    return { value: Object.fromEntries(cells.map(({ name, cell }) => [name, cellValue(name, cell)])) };
  } catch (error) {
    return wrong(faultIn(error) ?? 'Must be JSON', 'user_properties');
  }
}

/** Booleans of spreadsheets in English, German, French, Spanish, Italian, Portuguese and Dutch. */
const TRUE = /^(true|wahr|vrai|verdadero|vero|verdadeiro|waar)$/i;
const FALSE = /^(false|falsch|faux|falso|onwaar)$/i;

/** The value of a column in a cell. @throws SyntaxError or Failure for properties that are not strict JSON */
function cellValue(name: string, text: string): unknown {
  const cell = SECRETS.includes(name) ? text : withoutGuards(text);
  if (LISTS.includes(name)) return namesIn(cell);
  if (SWITCHES.includes(name)) return TRUE.test(cell) || (FALSE.test(cell) ? false : cell);
  return name === 'user_properties' ? strictJson(cell) : cell;
}
