import type { FieldError } from '../failure/codes.ts';
import { invalid } from '../failure/failure.ts';
import { decoded, EncodingError } from '../text/decode.ts';
import { foldCase } from '../text/fold-case.ts';
import { csvLines, type RowReader } from './file/csv.ts';
import { jsonLines } from './file/json-lines.ts';
import { type FileLine, wrong } from './file/line.ts';
import { sheetLines } from './file/sheet.ts';

export const FORMATS = ['jsonl', 'csv', 'xlsx'] as const;

export type Format = (typeof FORMATS)[number];

/** Spreadsheets save text with tabs as `.txt`; the reader of workbooks refuses older ones with what to do. */
export function formatOf(path: string): Format {
  if (/\.(xls[xmb]?|xlt[xm]?|ods|ots|numbers)$/i.test(path)) return 'xlsx';
  return /\.(csv|tsv|txt)$/i.test(path) ? 'csv' : 'jsonl';
}

/** Other encodings look alike: a guess would store wrong names. */
const NOT_UTF8 =
  'Is not UTF-8, perhaps Windows-1252. In a spreadsheet, save the file as “CSV UTF-8”; elsewhere, choose the encoding UTF-8';

/**
 * Reads the accounts of a file.
 *
 * @param open reads the file from its beginning
 */
export async function* fileLines(
  format: Format,
  open: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  rowsOf: RowReader,
): AsyncGenerator<FileLine> {
  if (format === 'xlsx') return yield* sheetLines(await wholeOf(open()));
  try {
    for await (const _ of decoded(open()));
  } catch (error) {
    if (!(error instanceof EncodingError)) throw error;
    return yield { line: error.line, ...wrong(NOT_UTF8) };
  }
  const text = decoded(open());
  yield* format === 'csv' ? csvLines(text, rowsOf) : jsonLines(text);
}

async function wholeOf(parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array<ArrayBuffer>[] = [];
  for await (const part of parts) all.push(part as Uint8Array<ArrayBuffer>);
  return new Uint8Array(await new Blob(all).arrayBuffer());
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
