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

/** The format that the name of a file indicates. */
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
  readonly record: readonly string[];
  /** The line on which it ends. */
  readonly info: { readonly lines: number };
}

async function* fromCsv(path: string): AsyncGenerator<SourceRecord> {
  const skipped: SourceRecord[] = [];
  const parser = parse({
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    // Such as an unclosed quote.
    skip_records_with_error: true,
    on_skip: (error) => {
      skipped.push(wrong(Number(error?.['lines'] ?? 0), String(error?.message)));
      return undefined;
    },
  });
  const input = createReadStream(path).on('error', (error) => parser.destroy(error));
  let columns: readonly string[] | undefined;
  try {
    for await (const { record, info } of input.pipe(parser) as AsyncIterable<Row>) {
      if (columns) yield ofRow(info.lines, record, columns);
      else columns = record.map((name) => name.trim());
    }
    yield* skipped;
  } finally {
    input.destroy();
  }
}

/** A row as a value; empty cells are ignored. */
function ofRow(line: number, cells: readonly string[], columns: readonly string[]): SourceRecord {
  if (cells.length !== columns.length)
    return wrong(line, `Must have ${columns.length} cells as the first line has, not ${cells.length}`);
  if (cells.some(isDamaged)) return wrong(line, DAMAGED);
  const value: Record<string, unknown> = {};
  for (const [index, name] of columns.entries()) {
    const cell = cells[index] as string;
    if (cell === '') continue;
    try {
      value[name] = cellValue(name, cell);
    } catch {
      return wrong(line, 'Must be JSON', name);
    }
  }
  return { line, value };
}

function cellValue(name: string, cell: string): unknown {
  if (LISTS.has(name)) return cell.split(/\s+/).filter(Boolean);
  if (SWITCHES.has(name)) return cell === 'true' ? true : cell === 'false' ? false : cell;
  return name === 'user_properties' ? parseExactly(cell) : cell;
}
