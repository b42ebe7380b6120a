import type { FieldError } from '../failure/codes.ts';
import { invalid } from '../failure/failure.ts';
import { decoded, decodedWindows1252, EncodingError, isWindows1252 } from '../text/decode.ts';
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

const NOT_UTF8 =
  'Is not UTF-8. In a spreadsheet, save the file as “CSV UTF-8”; elsewhere, choose the encoding UTF-8';

/**
 * Reads the accounts of a file. CSV may be in Windows-1252, in which older programs and some spreadsheets save it.
 *
 * @param open reads the file from its beginning
 * @param guess called where that encoding is a guess: people should check the names
 */
export async function* fileLines(
  format: Format,
  open: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  rowsOf: RowReader,
  guess?: () => void,
): AsyncGenerator<FileLine> {
  if (format === 'xlsx') return yield* sheetLines(await wholeOf(open()));
  let decode: typeof decodedWindows1252 = decoded;
  try {
    for await (const _ of decoded(open()));
  } catch (error) {
    if (!(error instanceof EncodingError)) throw error;
    if (format !== 'csv' || !(await isWindows1252(open())))
      return yield { line: error.line, ...wrong(NOT_UTF8) };
    decode = decodedWindows1252;
    guess?.();
  }
  const text = decode(open());
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

export const NO_TEAM = 'Must be the short name of a team';

/**
 * @param known short names in lower case
 * @throws Failure `invalid_request` for a team that does not exist
 */
export function checkTeams(teams: readonly string[], known: { has(short: string): boolean }) {
  const unknown = teams.findIndex((short) => !known.has(foldCase(short)));
  if (unknown >= 0) throw invalid(`teams.${unknown}`, NO_TEAM);
}
