import { imports as t } from '#texts/imports';
import type { Name } from './name.ts';

/** A column of an import, in the words of people. */
export interface ImportColumn {
  /** Its name in the template and on the page; a file may also have the name of the property. */
  readonly label: string;
  /** The property that it sets. */
  readonly name: Name;
  readonly text: string;
  /** Its cell in the template; without one, the template lacks the column. */
  readonly example?: string;
}

/** Cells of the template, by the properties of the columns that most files have, in their order. */
const EXAMPLES: Readonly<Partial<Record<Name, string>>> = {
  username: 'example.person',
  user_first_name: 'Anna',
  user_last_name: 'Keller',
  roles: 'editor reviewer',
  teams: '',
  phonenumber: '+41 44 123 45 67',
};

export const COLUMNS: readonly ImportColumn[] = Object.entries(t.columns).map(([name, texts]) => ({
  name: name as Name,
  ...texts,
  ...(name in EXAMPLES && { example: EXAMPLES[name as Name] ?? '' }),
}));

/** The only column that a file must have. */
export const KEY = 'username';

/** The row of the template, by the names of the columns; no file may contain it. */
const ROW = COLUMNS.flatMap(({ label, example }) => (example === undefined ? [] : [[label, example]]));

export const EXAMPLE = {
  username: 'example.person',
  row: Object.fromEntries(ROW) as Readonly<Record<string, string>>,
};

/** The name of a property in the words of people. */
export const labelOf = (name: string) => COLUMNS.find((column) => column.name === name)?.label ?? name;
