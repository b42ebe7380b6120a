import type { FieldError } from '../../failure/codes.ts';
import { SEPARATORS } from '../../text/csv.ts';
import { FAULT, importable, isForPeople } from './columns.ts';
import type { Head } from './line.ts';

const squashed = (name: string) => name.replaceAll('_', '');

/** What a column sets, also in the spelling of people, such as `First name`, `Username` or `Role`. */
function meaningOf(name: string, known: readonly string[]): string | undefined {
  if (known.includes(name) || isForPeople(name)) return name;
  const plain = name.toLowerCase().replace(/[\s-]+/g, '_');
  return known.find(
    (each) =>
      squashed(each) === squashed(plain) || each === `user_${plain}` || (plain && each === `${plain}s`),
  );
}

/** The separator that the line has most often. */
function separatorIn(line: string): string {
  const number = (separator: string) => line.split(separator).length;
  return Object.values(SEPARATORS).reduce((most, next) => (number(next) > number(most) ? next : most));
}

const unquoted = (name: string) =>
  name
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .trim();

/** Reads the line that names the columns, with the faults of the names. */
export function readHead(text: string, given?: string): { head: Head; errors: readonly FieldError[] } {
  const known = importable();
  const separator = given ?? separatorIn(text);
  const names = text.split(separator).map(unquoted);
  const meanings = names.map((name) => meaningOf(name, known));
  // Spreadsheets also save columns without a name, which stay as they are.
  const columns = names.map((name, index) => meanings[index] ?? name);
  // Names may be values where a file has no names: then no fault quotes them.
  const hasNames = meanings.some(Boolean) || names.every((name) => /^[\p{L}\p{M} ._/()-]*$/u.test(name));
  const errors = columns.flatMap((column, index) => {
    const isRepeated = columns.indexOf(column) < index;
    if (column === FAULT || column === '' || (meanings[index] && !isRepeated)) return [];
    const unknown = hasNames
      ? `“${names[index]}” is not a column of an import`
      : 'Is not a column of an import';
    return [{ field: `column ${index + 1}`, message: meanings[index] ? `Repeats ${column}` : unknown }];
  });
  if (!meanings.some(Boolean)) errors.push({ field: '', message: 'Must name the columns' });
  if (errors.length > 0)
    errors.push({ field: '', message: `The columns of an import are ${known.join(', ')}` });
  return { head: { text, separator, columns }, errors };
}
