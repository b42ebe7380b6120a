import { streamXlsxRows, writeXlsxStream } from 'hucre/xlsx';

/** A file that is no workbook, or one that cannot be read; its message is for people. */
export class WorkbookError extends Error {}

/** A row of a sheet by its number in it, from 1. */
export interface SheetRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Bytes of all parts of a workbook, uncompressed: some hundred thousand people. Compression may be a thousandfold. */
export const MAX_BYTES = 2 ** 28;

const SAVE = 'open it in a spreadsheet, and save it as “Excel workbook (.xlsx)”';
const OLD = `Is a workbook with a password or of an older format (.xls): ${SAVE} without a password`;
const OTHER = `Is no workbook of the format .xlsx: ${SAVE}`;
const BROKEN = `Is a workbook that cannot be read, since it is damaged or incomplete: ${SAVE}`;
const LARGE = `Is a workbook of more than ${MAX_BYTES / 2 ** 20} MB without compression: split it`;

const startsWith = (bytes: Uint8Array, ...signature: number[]) =>
  signature.every((byte, index) => bytes[index] === byte);

/** The sizes that the directory of a zip archive declares: reading a part never yields more. */
function* declaredSizes(bytes: Uint8Array): Generator<number> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = bytes.length - 22;
  while (end >= 0 && view.getUint32(end, true) !== 0x06054b50) end -= 1;
  if (end < 0) throw new WorkbookError(BROKEN);
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left -= 1) {
    if (at + 46 > bytes.length) throw new WorkbookError(BROKEN);
    const [compressed, size] = [view.getUint32(at + 20, true), view.getUint32(at + 24, true)];
    // Without a size, the reader would accept any.
    yield compressed > 0 && size === 0 ? Number.POSITIVE_INFINITY : size;
    at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
}

function checkArchive(bytes: Uint8Array): void {
  if (startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0)) throw new WorkbookError(OLD);
  if (!startsWith(bytes, 0x50, 0x4b)) throw new WorkbookError(OTHER);
  let sum = 0;
  for (const size of declaredSizes(bytes)) sum += size;
  if (sum > MAX_BYTES) throw new WorkbookError(LARGE);
}

/** Numbers from here on have lost digits in a spreadsheet, which keeps 15. */
const INEXACT = 1e15;

function textOf(value: unknown): string {
  if (typeof value === 'number')
    return Math.abs(value) < INEXACT ? `${value}` : value.toExponential().toUpperCase();
  // Without the time of midnight.
  if (value instanceof Date) return value.toISOString().replace(/T00:00:00\.000Z$/, '');
  return value === null || value === undefined ? '' : `${value}`;
}

/** Reads the rows of the first sheet of a workbook (.xlsx) as texts: dates in ISO 8601, truth values, errors. @throws WorkbookError */
export async function* sheetRows(bytes: Uint8Array): AsyncGenerator<SheetRow> {
  checkArchive(bytes);
  try {
    for await (const { index, values } of streamXlsxRows(bytes))
      yield { line: index + 1, cells: values.map(textOf) };
  } catch (error) {
    const isOther = (error as Error).message.startsWith('Invalid XLSX');
    throw new WorkbookError(isOther ? OTHER : BROKEN, { cause: error });
  }
}

type Rows = AsyncIterable<readonly string[]> | Iterable<readonly string[]>;

/** Writes rows as a workbook (.xlsx), in which every cell is text, also after people change it. */
export const workbook = (rows: Rows, columns: number): ReadableStream<Uint8Array> =>
  writeXlsxStream(escaped(rows), {
    name: 'Sheet1',
    columns: Array.from({ length: columns }, () => ({ numFmt: '@', width: 20 })),
    freezePane: { rows: 1 },
  });

/** A text that looks like an escape of the format. */
const ESCAPE = /_(?=x[\dA-Fa-f]{4}_)/g;

async function* escaped(rows: Rows) {
  for await (const row of rows)
    yield row.map((text) => (text === '' ? null : text.replace(ESCAPE, '_x005F_')));
}
