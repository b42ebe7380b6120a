import { type Format, findRepeats } from '#lib/account/file';
import type { FileLine } from '#lib/account/file/line';
import type { FieldError } from '#lib/failure/codes';
import type { Account } from '#lib/item/account';
import { DIRECTORY } from '#lib/table/keys';
import { everythingIn } from '#lib/table/listing';
import type { Table } from '#lib/table/table';
import { Refusal } from '../refusal.ts';
import { checked, type Entry, type Rules, type Teams } from './entry.ts';
import { recordsOf } from './source.ts';

export interface File extends Rules {
  readonly path: string;
  readonly format: Format;
}

/** Faults that are listed; further faults are only counted. */
export const MAX_FAULTS = 10_000;

/** Lines of a file that are imported, and those that are not. */
export interface Checked {
  readonly accounts: number;
  /** Numbers of the lines at fault. */
  readonly rejected: ReadonlySet<number>;
}

/**
 * Checks each line, and that no two lines are the same account.
 *
 * @param see receives each account, undefined if it is at fault
 * @param reject receives each line at fault; without it, such lines are refused
 * @throws Refusal `invalid_file`
 */
export async function checkFile(
  file: File,
  teams: Teams,
  see: (entry?: Entry) => void = () => undefined,
  reject?: (line: FileLine) => void,
): Promise<Checked> {
  const rejected = new Set<number>();
  const repeatsOf = findRepeats();
  const listed: FieldError[] = [];
  let accounts = 0;
  let isWhole = false;
  const guess = () => console.error(`${file.path} is read as Windows-1252: check letters such as ü and é`);
  for await (const record of recordsOf(file.path, file.format, guess)) {
    accounts += 1;
    const entry = await checked(record, teams, file);
    const errors = 'errors' in entry ? entry.errors : repeatsOf(entry.line, entry.draft.username);
    see(errors.length > 0 ? undefined : (entry as Entry));
    if (errors.length === 0) continue;
    rejected.add(entry.line);
    if (record.text === undefined) isWhole = true;
    else reject?.({ ...record, errors });
    const place = `line ${entry.line}`;
    for (const { field, message } of errors.slice(0, MAX_FAULTS - listed.length))
      listed.push({ field: field ? `${place}, ${field}` : place, message });
  }
  if (rejected.size === 0 || (reject && !isWhole)) return { accounts, rejected };
  const more = listed.length < MAX_FAULTS ? '' : `, of which the first ${MAX_FAULTS} are listed`;
  const how = `${rejected.size} of ${accounts} accounts are at fault${more}. Nothing was written`;
  throw new Refusal(
    'invalid_file',
    isWhole
      ? 'The file cannot be read. Nothing was written'
      : `${how}; --rejects <file> imports the others, and writes these to a file`,
    { errors: listed },
  );
}

/** The accounts of a file that was checked. @throws Refusal `file_changed` */
export async function* entriesOf(
  file: File,
  teams: Teams,
  rejected: Checked['rejected'],
): AsyncGenerator<Entry> {
  for await (const record of recordsOf(file.path, file.format)) {
    if (rejected.has(record.line)) continue;
    const entry = await checked(record, teams, file);
    if ('errors' in entry)
      throw new Refusal('file_changed', `Line ${entry.line} has changed since it was checked`, {
        changed: true,
      });
    yield entry;
  }
}

/** The roles and applications of an account or a draft. */
export const namesOf = ({ roles, apps }: Pick<Account, 'roles' | 'apps'>) => [
  ...roles.map((role) => `role ${role}`),
  ...apps.map((app) => `application ${app}`),
];

/** Removes the names that an account has. Reads the directory until no name is left. */
export async function removeHeld(table: Table, names: Set<string>): Promise<void> {
  for await (const accounts of everythingIn(table, DIRECTORY)) {
    for (const name of accounts.flatMap(namesOf)) names.delete(name);
    if (names.size === 0) return;
  }
}
