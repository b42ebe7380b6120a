import { DESTROYED, isDestroyed } from '../../text/destroyed.ts';
import { FALSE, TRUE } from '../../text/spreadsheet-words.ts';
import { isForPeople, LISTS, SECRETS, SWITCHES } from './columns.ts';
import { DAMAGED, type FileLine, faultIn, isDamaged, strictJson, wrong } from './line.ts';

/** The names in a text, which spaces separate. */
export const namesIn = (text = '') => text.split(/\s+/).filter(Boolean);

/** Whether a cell has nothing that a person sees. */
export const isBlank = (cell: string) => cell.trim() === '';

/** Free text, which may be about spreadsheets. */
const FREE = ['lock_reason'];

/**
 * The account in the cells of a row, by the properties that its columns set; empty cells are ignored.
 *
 * @param textOf the text of a cell that is no secret
 */
export function accountIn(
  row: readonly string[],
  columns: readonly string[],
  textOf: (cell: string) => string,
): Pick<FileLine, 'value' | 'errors'> {
  if (row.length < columns.length || !row.slice(columns.length).every(isBlank))
    return wrong('Must have as many cells as the line that names the columns', columns[row.length]);
  const cells = row.flatMap((cell, index) => {
    const name = columns[index] ?? '';
    const isEmpty = SECRETS.includes(name) ? cell === '' : isBlank(cell);
    return isEmpty || isForPeople(name) ? [] : [{ name, cell, index }];
  });
  if (cells.some(({ cell }) => isDamaged(cell))) return wrong(DAMAGED);
  const unnamed = cells.find(({ name }) => name === '');
  if (unnamed) return wrong('Is in a column without a name', `column ${unnamed.index + 1}`);
  const isLeftOver = ({ name, cell }: { name: string; cell: string }) =>
    !FREE.includes(name) && isDestroyed(cell);
  const errors = cells.filter(isLeftOver).map(({ name }) => ({ field: name, message: DESTROYED }));
  try {
    const values = cells
      .filter((each) => !isLeftOver(each))
      .map(
        ({ name, cell }) => [name, cellValue(name, SECRETS.includes(name) ? cell : textOf(cell))] as const,
      );
    return { value: Object.fromEntries(values), ...(errors.length > 0 && { errors }) };
  } catch (error) {
    return wrong(faultIn(error) ?? 'Must be JSON', 'user_properties');
  }
}

/** The value of a column in a cell. @throws SyntaxError or Failure for properties that are not strict JSON */
function cellValue(name: string, cell: string): unknown {
  if (LISTS.includes(name)) return namesIn(cell);
  if (SWITCHES.includes(name)) return booleanIn(cell);
  return name === 'user_properties' ? strictJson(cell) : cell;
}

function booleanIn(cell: string): boolean | string {
  const word = cell.trim().toLowerCase();
  return TRUE.has(word) || (FALSE.has(word) ? false : cell);
}
