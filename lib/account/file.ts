import type { CsvError, OptionsWithColumns } from 'csv-parse';
import type { FieldError } from '../failure/codes.ts';
import { Failure, invalid } from '../failure/failure.ts';
import { isJsonObject, parseExactly } from '../input/exact-json.ts';
import { checkStrictJson } from '../input/strict-json.ts';
import { withoutGuards } from '../text/csv.ts';
import { foldCase } from '../text/fold-case.ts';
import { newFields } from './new-fields.ts';

/** A line of a file, numbered from 1: an account, or its faults, which name positions and never quote a value. */
export interface FileLine {
  readonly line: number;
  readonly value?: Readonly<Record<string, unknown>>;
  readonly errors?: readonly FieldError[];
}

export type Format = 'csv' | 'jsonl';

export const formatOf = (path: string): Format => (/\.csv$/i.test(path) ? 'csv' : 'jsonl');

/** The names in a text, which spaces separate. */
export const namesIn = (text = '') => text.split(/\s+/).filter(Boolean);

/** Columns of secrets, which no download has, of lists, and of booleans. */
const SECRETS = ['password', 'password_hash'];
const LISTS = ['apps', 'roles', 'teams'];
const SWITCHES = ['emailconfirmed', 'lockoutenabled', 'isactive', 'islocked'];

const properties = (): ReadonlySet<string> =>
  new Set([
    ...Object.keys(newFields().shape),
    ...['user_properties', 'password', 'password_hash', 'isactive', 'islocked', 'lockoutend', 'lock_reason'],
  ]);

const wrong = (line: number, message: string, field = ''): FileLine => ({
  line,
  errors: [{ field, message }],
});

/** Decoders replace bytes that are not UTF-8 by U+FFFD. */
const isDamaged = (text: string) => text.includes('\ufffd');
const DAMAGED = 'Must be UTF-8';

/** Reads the accounts of JSON lines. */
export async function* jsonLines(lines: Iterable<string> | AsyncIterable<string>): AsyncGenerator<FileLine> {
  const known = properties();
  let line = 0;
  for await (const read of lines) {
    line += 1;
    const json = line === 1 ? read.replace(/^\ufeff/, '') : read;
    if (json.trim() === '') continue;
    yield isDamaged(json) ? wrong(line, DAMAGED) : ofJson(line, json, known);
  }
}

function ofJson(line: number, json: string, known: ReadonlySet<string>): FileLine {
  try {
    const value = strictJson(json);
    if (!isJsonObject(value)) return wrong(line, 'Must be an object');
    const errors = unknownIn(known, 'property', Object.keys(value));
    return errors.length > 0 ? { line, errors } : { line, value };
  } catch (error) {
    const position = isBroken('x') ? `: see column ${columnOf(json)}` : '';
    return wrong(line, faultIn(error) ?? `Must be JSON${position}`);
  }
}

/** @throws SyntaxError, or Failure for JSON that is not strict */
function strictJson(text: string): unknown {
  const value = parseExactly(text);
  checkStrictJson(text);
  return value;
}

const faultIn = (error: unknown) => (error instanceof Failure ? error.errors?.[0]?.message : undefined);

/** Names may be values in the wrong place: faults have only their positions. */
const unknownIn = (known: ReadonlySet<string>, kind: string, names: readonly string[]) =>
  names.flatMap((name, index) =>
    known.has(name) && names.indexOf(name) === index
      ? []
      : [{ field: `${kind} ${index + 1}`, message: 'Is unknown or repeated' }],
  );

/** The column of a syntax error, by bisection: some messages of V8 quote the text and have no position. */
function columnOf(json: string, before = 0, last = json.length + 1): number {
  if (last - before === 1) return last;
  const middle = Math.floor((before + last) / 2);
  return isBroken(json.slice(0, middle)) ? columnOf(json, before, middle) : columnOf(json, middle, last);
}

/** Whether a text is neither JSON nor the beginning of JSON; other engines than V8 do not report it. */
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

/** A row as `csv-parse` reads it. */
export interface Row {
  readonly record: Readonly<Record<string, string>>;
  /** The line on which it ends. */
  readonly info: { readonly lines: number };
}

/**
 * Reads the accounts of CSV, and after them the lines that are not CSV.
 *
 * @param start at least the first line
 * @param rowsWith parses the text with these options
 */
export async function* csvLines(
  start: string,
  rowsWith: (options: OptionsWithColumns<Row>) => Iterable<Row> | AsyncIterable<Row>,
): AsyncGenerator<FileLine> {
  const header = /^\ufeff?(.*)/.exec(start)?.[1] ?? '';
  const delimiter = header.includes(';') && !header.includes(',') ? ';' : ',';
  const columns = header.split(delimiter).map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
  const errors = unknownIn(properties(), 'column', columns);
  if (errors.length > 0) return yield { line: 1, errors };
  const skipped: FileLine[] = [];
  const rows = rowsWith({
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
      const message =
        code === 'CSV_RECORD_INCONSISTENT_COLUMNS'
          ? 'Must have as many cells as line 1'
          : `Must be CSV (${code})`;
      skipped.push(wrong(Number(lines), message, typeof column === 'string' ? column : ''));
      return undefined;
    },
  });
  for await (const { record, info } of rows) yield ofRow(info.lines, record);
  yield* skipped;
}

/** A row as a value; empty cells are ignored. */
function ofRow(line: number, row: Row['record']): FileLine {
  const cells = Object.entries(row).filter(([, cell]) => cell !== '');
  if (cells.some(([, cell]) => isDamaged(cell))) return wrong(line, DAMAGED);
  try {
    return { line, value: Object.fromEntries(cells.map(([name, cell]) => [name, cellValue(name, cell)])) };
  } catch (error) {
    return wrong(line, faultIn(error) ?? 'Must be JSON', 'user_properties');
  }
}

/** The value of a column in a cell. @throws SyntaxError or Failure for properties that are not strict JSON */
function cellValue(name: string, text: string): unknown {
  const cell = SECRETS.includes(name) ? text : withoutGuards(text);
  if (LISTS.includes(name)) return namesIn(cell);
  if (SWITCHES.includes(name) && /^(true|false)$/.test(cell)) return cell === 'true';
  return name === 'user_properties' ? strictJson(cell) : cell;
}

/** Creates a check for lines with the username of an earlier one. */
export function findRepeats() {
  const lines = new Map<string, number>();
  return (line: number, username: string): FieldError[] => {
    const name = foldCase(username);
    const before = lines.get(name);
    lines.set(name, before ?? line);
    return before === undefined ? [] : [{ field: 'username', message: `Repeats line ${before}` }];
  };
}

/**
 * @param known short names in lower case
 * @throws Failure `invalid_request` for a team that does not exist
 */
export function checkTeams(teams: readonly string[], known: { has(short: string): boolean }) {
  const unknown = teams.findIndex((short) => !known.has(foldCase(short)));
  if (unknown >= 0) throw invalid(`teams.${unknown}`, 'Must be the short name of a team');
}
