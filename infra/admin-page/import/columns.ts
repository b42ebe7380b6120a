import type { NewField } from '#lib/account/file/columns';

type Name = NewField | 'user_properties';

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

/** What people know of each column before they prepare a file, those that most files have first. */
const TEXTS: Readonly<Record<Name, Omit<ImportColumn, 'name'>>> = {
  username: {
    label: 'Username',
    text: 'How the person logs in: at most 128 letters, digits or the signs . _ @ + -. No two people have the same one, and it cannot be changed.',
    example: 'example.person',
  },
  user_first_name: {
    label: 'First name',
    text: 'Shown to colleagues beside the username.',
    example: 'Anna',
  },
  user_last_name: { label: 'Last name', text: 'Shown after the first name.', example: 'Keller' },
  roles: {
    label: 'Roles',
    text: 'What the person may do. Put spaces between several roles. A role that no one has yet is created, so check the spelling.',
    example: 'editor reviewer',
  },
  teams: {
    label: 'Teams',
    text: 'Short names of teams that exist, with spaces between them. The first one is the main team.',
    example: '',
  },
  phonenumber: {
    label: 'Phone number',
    text: 'In any notation.',
    example: '+41 44 123 45 67',
  },
  user_short: {
    label: 'Short',
    text: 'Initials, at most 8 characters. Empty: those of the name.',
  },
  user_color: {
    label: 'Color',
    text: 'Colour behind the initials, such as #1A2B3C. Empty: the service chooses one.',
  },
  user_currency: { label: 'Currency', text: 'Three capital letters. Empty: EUR.' },
  apps: {
    label: 'Apps',
    text: 'Applications that the person may use, with spaces between them. The first one opens by default. Empty: core.',
  },
  kind: {
    label: 'Kind',
    text: 'machine for a program. Empty: a person.',
  },
  owner: {
    label: 'Owner',
    text: 'Username of the person who answers for a machine. Only for machines.',
  },
  emailconfirmed: {
    label: 'Email confirmed',
    text: 'TRUE if the e-mail address of the person is known to be right. Empty: FALSE.',
  },
  lockoutenabled: {
    label: 'Lockout enabled',
    text: 'FALSE if failed logins never lock the account for a time. Empty: TRUE.',
  },
  user_properties: {
    label: 'Properties',
    text: 'Further data for applications, as JSON. Your technical contact knows it.',
  },
};

export const COLUMNS: readonly ImportColumn[] = Object.entries(TEXTS).map(([name, texts]) => ({
  name: name as Name,
  ...texts,
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
