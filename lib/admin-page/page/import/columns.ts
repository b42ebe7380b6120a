/** A column of an import, in the words of people. */
export interface ImportColumn {
  /** Its name in the template and on the page; a file may also have the name of the property. */
  readonly label: string;
  /** The property that it sets. */
  readonly name: string;
  readonly text: string;
  /** Its cell in the template; without one, the template lacks the column. */
  readonly example?: string;
}

/** What people know of a column before they prepare a file, those that most files have first. */
export const COLUMNS: readonly ImportColumn[] = [
  {
    label: 'Username',
    name: 'username',
    text: 'How the person logs in: at most 128 letters, digits or the signs . _ @ + -. No two people have the same one, and it cannot be changed.',
    example: 'example.person',
  },
  {
    label: 'First name',
    name: 'user_first_name',
    text: 'Shown to colleagues beside the username.',
    example: 'Anna',
  },
  { label: 'Last name', name: 'user_last_name', text: 'Shown after the first name.', example: 'Keller' },
  {
    label: 'Roles',
    name: 'roles',
    text: 'What the person may do. Put spaces between several roles. A role that no one has yet is created, so check the spelling.',
    example: 'editor reviewer',
  },
  {
    label: 'Teams',
    name: 'teams',
    text: 'Short names of teams that exist, with spaces between them. The first one is the main team.',
    example: '',
  },
  {
    label: 'Phone number',
    name: 'phonenumber',
    text: 'In any notation.',
    example: '+41 44 123 45 67',
  },
  {
    label: 'Short',
    name: 'user_short',
    text: 'Initials, at most 8 characters. Empty: those of the name.',
  },
  {
    label: 'Color',
    name: 'user_color',
    text: 'Colour behind the initials, such as #1A2B3C. Empty: the service chooses one.',
  },
  { label: 'Currency', name: 'user_currency', text: 'Three capital letters. Empty: EUR.' },
  {
    label: 'Apps',
    name: 'apps',
    text: 'Applications that the person may use, with spaces between them. The first one opens by default. Empty: core.',
  },
  {
    label: 'Email confirmed',
    name: 'emailconfirmed',
    text: 'TRUE if the e-mail address of the person is known to be right. Empty: FALSE.',
  },
  {
    label: 'Lockout enabled',
    name: 'lockoutenabled',
    text: 'FALSE if failed logins never lock the account for a time. Empty: TRUE.',
  },
  {
    label: 'Properties',
    name: 'user_properties',
    text: 'Further data for applications, as JSON. Your technical contact knows it.',
  },
];

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
