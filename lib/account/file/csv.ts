import type { CsvError, Options } from 'csv-parse';
import { SEPARATORS, withoutGuards } from '../../text/csv.ts';
import { accountIn, isBlank } from './cells.ts';
import { readHead } from './head.ts';
import { type FileLine, type Head, wrong } from './line.ts';

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

/** Takes the first line off a text. */
function split(text: string): [line: string, rest: string] {
  const end = text.indexOf('\n');
  return end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end + 1)];
}

/** Quotes around a whole cell, doubled within it; spreadsheets read others differently. */
const QUOTED = '"[^"]*(?:""[^"]*)*"';

const cellOf = (separator: string, quoted = QUOTED) => `(?:${quoted}|[^"${separator}\\n]*)`;

/** Matches a row of such cells. */
const rowOf = (separator: string, cell = cellOf(separator)) =>
  new RegExp(`^${cell}(?:${separator}${cell})*(?=\\n|$)`);

/** The name in a cell, in one line. */
const nameIn = (cell: string) =>
  cell
    .trim()
    .replace(/^"(.*)"$/s, '$1')
    .replaceAll('""', '"')
    .replace(/\s+/g, ' ')
    .trim();

/** Lines above the names of columns: Excel's own for the separator, and the version of a template of Entra ID. */
const ABOVE = /^"?(?:sep=([,;\t])|version:v?[\d.]+)"?[,;\t]*$/i;

/** The row that names the columns, by the separator with which it has most cells; people also put spaces around quotes. */
function headRow(text: string, given?: string) {
  const rows = (given ? [given] : Object.values(SEPARATORS)).flatMap((separator) => {
    const cell = cellOf(separator, ` *${QUOTED} *`);
    const [row] = rowOf(separator, cell).exec(text) ?? [];
    if (row === undefined) return [];
    const cells = `${separator}${row}`.matchAll(new RegExp(`${separator}(${cell})`, 'g'));
    return [{ row, separator, names: [...cells].map(([, each = '']) => nameIn(each)) }];
  });
  return rows.sort((one, other) => other.names.length - one.names.length)[0];
}

const QUOTES = 'Must have quotation marks around a whole cell, and doubled within it';

/** A raw row without the ends of lines around it. */
const textOf = (raw: string) => raw.replace(/^\n|\n$/g, '');

/** Reads the accounts of CSV, and after them what follows a quote that is not closed. */
export async function* csvLines(parts: AsyncGenerator<string>, rowsOf: RowReader): AsyncGenerator<FileLine> {
  const whole: string = (await parts.next()).value ?? '';
  const [first, below] = split(whole);
  const [above, given] = ABOVE.exec(first) ?? [];
  const [line, content] = above === undefined ? [1, whole] : [2, below];
  const named = headRow(content, given);
  if (!named) return yield { line, ...wrong(QUOTES) };
  const { row, separator, names } = named;
  const { columns, errors } = readHead(names);
  if (errors.length > 0) return yield { line, errors };
  const head: Head = { text: row, separator, columns };
  const before = line + row.split('\n').length - 1;
  const strict = rowOf(separator);
  async function* rest() {
    yield content.slice(row.length + 1);
    yield* parts;
  }
  const firstLine = (raw: string, last: number) => last + before - raw.split('\n').length + 1;
  const open: FileLine[] = [];
  const rows = await rowsOf(rest(), {
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
      // Its message may quote a cell.
      const message =
        code === 'CSV_QUOTE_NOT_CLOSED' ? 'Has a quotation mark that is not closed' : `Must be CSV (${code})`;
      open.push({ line: firstLine(text, Number(lines)), text, head, ...wrong(message) });
      return undefined;
    },
  });
  for await (const { record, raw, info } of rows) {
    if (record.every(isBlank)) continue;
    const text = textOf(raw);
    const account =
      strict.exec(text)?.[0] === text ? accountIn(record, columns, withoutGuards) : wrong(QUOTES);
    yield { line: firstLine(text, info.lines), text, head, ...account };
  }
  yield* open;
}
