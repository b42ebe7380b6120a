import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { parse } from 'csv-parse';
import { parseExactly } from '#lib/exact-json';
import type { FieldError } from '#lib/failure';

/** A line of a file, numbered from 1: a value, or its faults. */
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
  for await (const text of createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Infinity })) {
    line += 1;
    const json = line === 1 ? text.replace(/^\ufeff/, '') : text;
    if (json.trim() === '') continue;
    yield isDamaged(json) ? wrong(line, DAMAGED) : ofJson(line, json);
  }
}

function ofJson(line: number, json: string): SourceRecord {
  try {
    return { line, value: parseExactly(json) };
  } catch (error) {
    return wrong(line, `Must be JSON: ${withColumn((error as Error).message).slice(0, 100)}`);
  }
}

/** The error of a line without its position in the text, which the column repeats. */
const withColumn = (message: string) =>
  message.replace(/ in JSON at position \d+(?: \(line 1 column (\d+)\))?/, (all, column) =>
    column ? ` at column ${column}` : all,
  );

/** Columns of lists, separated by spaces, and of booleans. */
const LISTS = new Set(['apps', 'roles', 'teams']);
const SWITCHES = new Set(['emailconfirmed', 'lockoutenabled', 'isactive', 'islocked']);

interface Row {
  readonly record: Readonly<Record<string, string>>;
  /** The line on which it ends. */
  readonly info: { readonly lines: number };
}

async function* fromCsv(path: string): AsyncGenerator<SourceRecord> {
  const skipped: SourceRecord[] = [];
  const parser = parse({
    bom: true,
    info: true,
    columns: (names: string[]) => names.map((name) => name.trim()),
    skip_empty_lines: true,
    // Such as an unclosed quote, or a missing cell.
    skip_records_with_error: true,
    on_skip: (error) => {
      skipped.push(wrong(Number(error?.['lines'] ?? 0), String(error?.message)));
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
