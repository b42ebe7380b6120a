import type { FieldError } from '../../failure/codes.ts';
import { FAULT, importable, isForPeople } from './columns.ts';
import type { Head } from './line.ts';
import { propertyOf } from './synonyms.ts';

/** Words of a language, or several words: other texts may be values, such as a password. */
const NAMES = /^(?:[\p{L}\p{M}\p{Zs} ._/()[\]*#:&,'’?%€$+-]*|(?=.*\p{L}{2})(?=.*\p{Zs})[^@]*)$/u;

/** Reads the names of the columns, with their faults. */
export function readHead(
  names: readonly string[],
): Pick<Head, 'columns'> & { errors: readonly FieldError[] } {
  const meanings = names.map((name) => (isForPeople(name) ? name : propertyOf(name)));
  // Spreadsheets also save columns without a name, which stay as they are.
  const columns = names.map((name, index) => meanings[index] ?? name);
  // Names may be values where a file has no names: then no fault quotes them.
  const hasNames = meanings.some(Boolean) || names.every((name) => NAMES.test(name));
  const errors = columns.flatMap((column, index) => {
    const first = columns.indexOf(column);
    if (column === FAULT || column === '' || (meanings[index] && first === index)) return [];
    const message = meanings[index]
      ? `“${names[index]}” sets ${column}, as column ${first + 1} does: delete one of them`
      : hasNames
        ? `“${names[index]}” is not a column of an import`
        : 'Is not a column of an import';
    return [{ field: `column ${index + 1}`, message }];
  });
  if (!meanings.some(Boolean)) errors.push({ field: '', message: 'Must name the columns' });
  if (errors.length > 0)
    errors.push({ field: '', message: `The columns of an import are ${importable().join(', ')}` });
  return { columns, errors };
}
