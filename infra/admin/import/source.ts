import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { type CsvError, parse } from 'csv-parse';
import { NEW_ACCOUNT_FIELDS } from '#lib/account/create';
import { parseExactly } from '#lib/exact-json';
import { Failure, type FieldError } from '#lib/failure';
import { checkStrictJson } from '#lib/http/strict-json';

/** A line of a file, numbered from 1: a value, or its faults, which name positions and never quote a value. */
export interface SourceRecord {
  readonly line: number;
  readonly value?: unknown;
  readonly errors?: readonly FieldError[];
}

export type Format = 'csv' | 'jsonl';

export const formatOf = (path: string): Format => (/\.csv$/i.test(path) ? 'csv' : 'jsonl');

/** Reads a file piece by piece, however large it is. */
export const recordsOf = (path: string, format: Format): AsyncGenerator<SourceRecord> =>
  format === 'csv' ? fromCsv(path) : fromJsonLines(path);

const wrong = (line: number, message: string, field = ''): SourceRecord => ({
  line,
  errors: [{ field, message }],
});

/** Node.js decodes bytes that are not UTF-8 as U+FFFD. */
const isDamaged = (text: string) => text.includes('\ufffd');
const DAMAGED = 'Must be UTF-8';

async function* fromJsonLines(path: string): AsyncGenerator<SourceRecord> {
  let line = 0;
  for await (const read of createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Infinity })) {
    line += 1;
    const json = line === 1 ? read.replace(/^\ufeff/, '') : read;
    if (json.trim() === '') continue;
    yield isDamaged(json) ? wrong(line, DAMAGED) : ofJson(line, json);
  }
}

function ofJson(line: number, json: string): SourceRecord {
  try {
    const value = parseExactly(json);
    checkStrictJson(json);
    return { line, value };
  } catch (error) {
    const fault = error instanceof Failure ? error.errors?.[0]?.message : undefined;
    return wrong(line, fault ?? `Must be JSON: see column ${columnOf(json)}`);
  }
}

/** The column of a syntax error, by bisection: some messages of V8 quote the text and have no position. */
function columnOf(json: string, before = 0, last = json.length + 1): number {
  if (last - before === 1) return last;
  const middle = Math.floor((before + last) / 2);
  return isBroken(json.slice(0, middle)) ? columnOf(json, before, middle) : columnOf(json, middle, last);
}

/** Whether a text is neither JSON nor the beginning of JSON. */
function isBroken(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    const { message } = error as Error;
    return (
      message.startsWith('Unexpected token') || Number(/position (\d+)/.exec(message)?.[1]) < text.length
    );
  }
}

/** Columns of lists, separated by spaces, and of booleans. */
const LISTS = new Set(['apps', 'roles', 'teams']);
const SWITCHES = new Set(['emailconfirmed', 'lockoutenabled', 'isactive', 'islocked']);

const LOCK = ['lockoutend', 'lock_reason'];

/** The properties of a line. */
export const PROPERTIES: ReadonlySet<string> = new Set([...NEW_ACCOUNT_FIELDS, ...SWITCHES, ...LOCK]);

interface Row {
  readonly record: Readonly<Record<string, string>>;
  /** The line on which it ends. */
  readonly info: { readonly lines: number };
}

async function* fromCsv(path: string): AsyncGenerator<SourceRecord> {
  const start = await text(createReadStream(path, { encoding: 'utf8', end: 65_535 }));
  const header = /^\ufeff?(.*)/.exec(start)?.[1] ?? '';
  const delimiter = header.includes(';') && !header.includes(',') ? ';' : ',';
  const columns = header.split(delimiter).map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
  const errors = columns.flatMap((name, index) =>
    PROPERTIES.has(name) && columns.indexOf(name) === index
      ? []
      : [{ field: `column ${index + 1}`, message: 'Is unknown or repeated' }],
  );
  if (errors.length > 0) return yield { line: 1, errors };

  const skipped: SourceRecord[] = [];
  const parser = parse({
    bom: true,
    info: true,
    columns,
    delimiter,
    from_line: 2,
    skip_empty_lines: true,
    // Such as an unclosed quote, or a missing cell.
    skip_records_with_error: true,
    on_skip: (error) => {
      const { code, lines, column } = error as CsvError;
      // Its message may quote a cell.
      skipped.push(wrong(Number(lines), `Must be CSV (${code})`, typeof column === 'string' ? column : ''));
      return undefined;
    },
  });
  const input = createReadStream(path).on('error', (error) => parser.destroy(error));
  try {
    for await (const { record, info } of input.pipe(parser) as AsyncIterable<Row>)
      yield ofRow(info.lines, record);
    yield* skipped;
  } finally {
    input.destroy();
  }
}

/** A row as a value; empty cells are ignored. */
function ofRow(line: number, row: Row['record']): SourceRecord {
  const cells = Object.entries(row).filter(([, cell]) => cell !== '');
  if (cells.some(([, cell]) => isDamaged(cell))) return wrong(line, DAMAGED);
  try {
    return { line, value: Object.fromEntries(cells.map(([name, cell]) => [name, cellValue(name, cell)])) };
  } catch {
    return wrong(line, 'Must be JSON', 'user_properties');
  }
}

function cellValue(name: string, cell: string): unknown {
  if (LISTS.has(name)) return cell.split(/\s+/).filter(Boolean);
  if (SWITCHES.has(name) && /^(true|false)$/.test(cell)) return cell === 'true';
  return name === 'user_properties' ? parseExactly(cell) : cell;
}
