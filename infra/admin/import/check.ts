import { readAccounts } from '#lib/account/account';
import { type Format, findRepeats } from '#lib/account/file';
import type { Account } from '#lib/item/account';
import { DIRECTORY } from '#lib/table/keys';
import { everythingIn } from '#lib/table/listing';
import { MAX_BATCH } from '#lib/table/read';
import type { Table } from '#lib/table/table';
import { Refusal } from '../refusal.ts';
import { checked, type Entry, type Fault, type Teams } from './entry.ts';
import { linesOf } from './source.ts';

export interface File {
  readonly path: string;
  readonly format: Format;
  readonly force?: boolean | undefined;
}

/** Faults that are listed; further faults are only counted. */
export const MAX_FAULTS = 10_000;

/** Checks each line, and that no two lines are the same account. @throws Refusal `invalid_file` */
export async function checkFile(
  file: File,
  teams: Teams,
  see: (entry: Entry) => Promise<void> | void = () => undefined,
): Promise<number> {
  const repeatsOf = findRepeats();
  const listed: { field: string; message: string }[] = [];
  let [accounts, wrong] = [0, 0];
  const refuse = ({ line, errors }: Fault) => {
    wrong += 1;
    for (const { field, message } of errors)
      if (listed.length < MAX_FAULTS)
        listed.push({ field: field ? `line ${line}, ${field}` : `line ${line}`, message });
  };
  for await (const record of linesOf(file.path, file.format)) {
    accounts += 1;
    const entry = checked(record, teams, file);
    if ('errors' in entry) refuse(entry);
    else {
      const errors = repeatsOf(entry.line, entry.draft.username);
      if (errors.length === 0) await see(entry);
      else refuse({ line: entry.line, errors });
    }
  }
  if (wrong === 0) return accounts;
  const more = listed.length < MAX_FAULTS ? '' : `, of which the first ${MAX_FAULTS} are listed`;
  throw new Refusal(
    'invalid_file',
    `${wrong} of ${accounts} accounts are at fault${more}. Nothing was written`,
    { errors: listed },
  );
}

export async function* entriesOf(file: File, teams: Teams): AsyncGenerator<Entry> {
  for await (const record of linesOf(file.path, file.format)) {
    const entry = checked(record, teams, file);
    if ('errors' in entry)
      throw new Refusal('file_changed', `Line ${entry.line} has changed since it was checked`, {
        changed: true,
      });
    yield entry;
  }
}

/** Counts the accounts that exist, a batch at a time. */
export function lookUp(table: Table) {
  let names: string[] = [];
  let existing = 0;
  const look = async () => {
    const accounts = names.length > 0 ? await readAccounts(table, names) : [];
    existing += accounts.filter((account) => account !== undefined).length;
    names = [];
    return existing;
  };
  return {
    see: async ({ draft }: Entry) => {
      names.push(draft.username);
      if (names.length === MAX_BATCH) await look();
    },
    end: look,
  };
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
