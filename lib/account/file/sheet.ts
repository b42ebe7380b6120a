import { csvLine } from '../../text/csv.ts';
import { accountIn, isBlank } from './cells.ts';
import { readHead } from './head.ts';
import { type FileLine, type Head, wrong } from './line.ts';

const rowText = (cells: readonly string[]) => csvLine(cells).trimEnd();

/** The version above the names of columns in a template of Entra ID. */
const isAbove = ([first = '', ...others]: readonly string[]) =>
  /^version:v?[\d.]+$/i.test(first) && others.every(isBlank);

/** Reads the accounts of a workbook, whose first row names the columns. Lines are rows of its first sheet, with a text as in CSV. */
export async function* sheetLines(bytes: Uint8Array): AsyncGenerator<FileLine> {
  // Few people need it.
  const { sheetRows, WorkbookError } = await import('../../text/workbook.ts');
  let head: Head | undefined;
  try {
    for await (const { line, cells } of sheetRows(bytes)) {
      if (cells.every(isBlank)) continue;
      if (head) {
        // A row ends with its last cell that has a value.
        const row = head.columns
          .map((_, index) => cells[index] ?? '')
          .concat(cells.slice(head.columns.length));
        yield { line, text: rowText(row), head, ...accountIn(row, head.columns, (cell) => cell) };
      } else if (!isAbove(cells)) {
        const names = cells.map((cell) => cell.replace(/\s+/g, ' ').trim());
        const { columns, errors } = readHead(names);
        if (errors.length > 0) return yield { line, errors };
        head = { text: rowText(names), separator: ',', columns };
      }
    }
    if (!head) yield { line: 1, ...wrong('Must name the columns in the first row of the first sheet') };
  } catch (error) {
    if (!(error instanceof WorkbookError)) throw error;
    yield { line: 1, ...wrong(error.message) };
  }
}
