import type { ImportFault } from '../../import/fault-kinds.ts';
import type { Name } from '../../import/name.ts';
import { number } from '../../locale.ts';
import { type Said, said } from '../../said.ts';

const people = (n: number) => `${number(n)} ${n === 1 ? 'person' : 'people'}`;
const rows = (n: number) => `${number(n)} ${n === 1 ? 'row' : 'rows'}`;

/** The names of columns, which an import reads in every language, and what people know of them. */
const columns: Readonly<Record<Name, { readonly label: string; readonly text: string }>> = {
  username: {
    label: 'Username',
    text: 'How the person logs in: at most 128 letters, digits or the signs . _ @ + -. No two people have the same one, and it cannot be changed.',
  },
  user_first_name: { label: 'First name', text: 'Shown to colleagues beside the username.' },
  user_last_name: { label: 'Last name', text: 'Shown after the first name.' },
  roles: {
    label: 'Roles',
    text: 'What the person may do. Put spaces between several roles. A role that no one has yet is created, so check the spelling.',
  },
  teams: {
    label: 'Teams',
    text: 'Short names of teams, with spaces between them. The first one is the main team. Teams that are missing can be created before the import.',
  },
  phonenumber: { label: 'Phone number', text: 'In any notation.' },
  user_short: { label: 'Short', text: 'Initials, at most 8 characters. Empty: those of the name.' },
  user_color: {
    label: 'Color',
    text: 'Colour behind the initials, such as #1A2B3C. Empty: the service chooses one.',
  },
  user_currency: { label: 'Currency', text: 'Three capital letters. Empty: EUR.' },
  apps: {
    label: 'Apps',
    text: 'Applications that the person may use, with spaces between them. The first one opens by default. Empty: core.',
  },
  kind: { label: 'Kind', text: 'machine for a program. Empty: a person.' },
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

/** What is wrong with a file, by kind. The parts of a message are the arguments. */
const faults: Readonly<Record<ImportFault, (one: string, other: string, third: string) => string>> = {
  encoding: () =>
    'Is not UTF-8. In a spreadsheet, save the file as “CSV UTF-8”; elsewhere, choose the encoding UTF-8',
  repeats: (line) => `Repeats line ${line}`,
  cells: () => 'Must have as many cells as the line that names the columns',
  unnamed: () => 'Is in a column without a name',
  destroyed: () =>
    'Is what a spreadsheet left of another value: enter it again in a column that is formatted as text, or save the file as .xlsx',
  twice: (name, property, column) =>
    `“${name}” sets ${property}, as column ${column} does: delete one of them`,
  unknownColumn: (name) => `“${name}” is not a column of an import`,
  noColumn: () => 'Is not a column of an import',
  noNames: () => 'Must name the columns',
  known: (names) => `The columns of an import are ${names}`,
  quotes: () => 'Must have quotation marks around a whole cell, and doubled within it',
  openQuote: () => 'Has a quotation mark that is not closed',
  csv: (code) => `Must be CSV (${code})`,
  noProperty: () => 'Is not a property of an account',
  json: (column) => `Must be JSON: see column ${column}`,
  noHead: () => 'Must name the columns in the first row of the first sheet',
  oldWorkbook: () =>
    'Is a workbook with a password or of an older format (.xls): open it in a spreadsheet, and save it as “Excel workbook (.xlsx)” without a password',
  noWorkbook: () =>
    'Is no workbook of the format .xlsx: open it in a spreadsheet, and save it as “Excel workbook (.xlsx)”',
  brokenWorkbook: () =>
    'Is a workbook that cannot be read, since it is damaged or incomplete: open it in a spreadsheet, and save it as “Excel workbook (.xlsx)”',
  largeWorkbook: (size) => `Is a workbook of more than ${size} MB without compression: split it`,
  cancelled: () => 'Only the operator command can import cancelled accounts',
  locked: () => 'Only the operator command can import locked accounts',
  field: () => 'Only the operator command can import this field',
  example: () => 'Is the example of the template: delete this row',
};

/** The import of a file. */
export const imports = {
  columns,
  faults,
  people,
  title: 'Import people',
  note: 'Creates the accounts of many people from a spreadsheet. Accounts that exist stay as they are.',
  prepare: '1. Prepare a file',
  prepareText:
    'Download the template, and replace its example by one row for each person. A file of another service may keep its names of columns.',
  template: 'import-template',
  downloadTemplate: 'Download template',
  format: 'Format',
  required: ' (required)',
  columnsLabel: 'Columns',
  moreColumns: 'More columns',
  moreColumnsTitle: 'More columns, and their names',
  columnsNote:
    'Columns can have any order, and those that are not required can be left out. A list that was downloaded from People can be imported, too.',
  choose: '2. Choose the file',
  file: 'File',
  fileHint:
    'An Excel workbook (.xlsx), of which the first sheet is read; CSV or text of a spreadsheet, with commas, semicolons or tabs; or a JSON object a line. Nothing is written before you import.',
  chosen: (file: Said) => said`${file} is chosen. It stays here until you import it or discard it.`,
  discard: 'Discard the file',
  unreadable:
    'The file cannot be read: correct it, and choose it again. Step 1 has the names of the columns.',
  empty: 'The file has no rows.',
  faultsLabel: 'Faults',
  line: (n: number) => `Line ${number(n)}`,
  check: '3. Check the rows',
  noFaults: (n: number) => `${rows(n)}, none with faults.`,
  someFaults: (all: number, right: number, wrong: number) =>
    `${rows(all)}: ${number(right)} can be imported, ${number(wrong)} ${wrong === 1 ? 'has' : 'have'} faults.`,
  someExist: (n: number) =>
    n === 1 ? 'One person exists and stays as they are.' : `${people(n)} exist and stay as they are.`,
  allExist: 'All people of the file exist. There is no one to import.',
  guess:
    'The file is in an older encoding, which was read as Windows-1252. Check letters such as ü and é in the rows.',
  others: 'You can import the others now. ',
  correct:
    'Download the rows with faults: the file names the reason of each. Correct them, and import that file.',
  all: 'All',
  withFaults: 'With faults',
  existing: 'Exist',
  downloadFaults: (n: number) => `Download ${rows(n)} with faults`,
  rowsOfFile: 'Rows of the file',
  lineColumn: 'Line',
  exists: 'Exists: stays as it is',
  yes: 'Yes',
  no: 'No',
  submit: (n: number) => `Import ${people(n)}`,
  continue: (n: number) => `Continue with ${people(n)}`,
  noCodes: 'No code, for people who get theirs later',
  hoursHint: 'Each person gets a one-time code, with which they set a password.',
  missing: 'Teams that are missing',
  missingText: (n: number) =>
    n === 1
      ? 'The file names a team that does not exist. Create it here, or correct the file.'
      : `The file names ${number(n)} teams that do not exist. Create them here, or correct the file.`,
  missingTeam: (short: Said, n: number) => said`${short} (${people(n)})`,
  teamName: (short: string) => `Name of ${short}`,
  teamType: 'Type',
  defaultType: 'department',
  teamTypeHint: 'Lower-case letters, such as department',
  createTeams: (n: number) => (n === 1 ? 'Create the team' : `Create ${number(n)} teams`),
  teamsCreated: (n: number) => (n === 1 ? 'The team is created.' : `${number(n)} teams are created.`),
  former: (when: Said) => said`You imported this file ${when} in this browser.`,
  formerAgain:
    'To continue creates those who are missing, and shows the codes that still work. No one is created twice.',
  formerOver:
    'Its codes cannot be shown again. People whose code has ended are under “Code expired” in People: create new ones there.',
  running: 'Importing people',
  stoppedTitle: 'Import stopped',
  done: 'Import finished',
  progress: (of: string) => `${of} people`,
  busy: (clock: string) => `The service is busy. The import goes on by itself at ${clock}.`,
  stopping: 'Waiting for the answers of the rows that were sent.',
  keepOpen:
    'Keep this tab open. You can use other screens in the meantime. If the tab is closed all the same, choose the same file again within 24 hours in this browser: no one is created twice.',
  resumeText: 'Resume goes on with the next row. No one is created twice.',
  stop: 'Stop',
  resume: 'Resume',
  imported: (n: number) => `${people(n)} imported`,
  give: (link: Said, end: Said) =>
    said`Give each code to its owner and to no one else: with it, they set a password at ${link}. Each works once${end}. The codes are shown only here: copy or download them before you close the import.`,
  until: (when: Said) => said`, until ${when}`,
  undo: 'A mistake? Activity takes the whole import back.',
  downloadCodes: 'Download codes',
  downloadList: 'Download list',
  fileName: 'import',
  importedLabel: 'Imported people',
  notImported: (n: number) => `${people(n)} not imported`,
  notImportedText: 'Download the rows with the reason of each, correct them, and import that file.',
  downloadNotImported: (n: number) => `Download ${number(n)} not imported`,
  notImportedLabel: 'Not imported',
  name: 'Name',
  username: 'Username',
  code: 'One-time code',
  reason: 'Reason',
  codeGone: (when: Said) => said`created ${when}; its code was used or has ended`,
  copyCodes: 'Copy codes',
  copied: (n: number) => `${number(n)} copied`,
  cannotCopy: 'The browser cannot copy: download the codes.',
  loss: 'You have neither copied nor downloaded the codes: closing the import loses them. Within 24 hours, an import of the same file with the same hours in this browser shows them again.',
  close: 'Close the import',
  closeAllTheSame: 'Close all the same',
  existed: 'An account with this username exists: it stays as it is',
  shown: (to: number, all: number) => `1 to ${number(to)} of ${number(all)}`,
  showMore: 'Show more',
  outcomes: { created: 'created', existed: 'existed', refused: 'refused' },
};
