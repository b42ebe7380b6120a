import { readAccounts } from '#lib/account/account';
import { MAX_BATCH } from '#lib/table/read';
import type { Table } from '#lib/table/table';
import { Refusal } from '../run.ts';
import { checked, type Entry, type Fault, type Teams } from './entry.ts';
import { Names } from './names.ts';
import { type Format, recordsOf } from './source.ts';

/** A file, and how it is read. */
export interface File {
  readonly path: string;
  readonly format: Format;
  readonly force?: boolean | undefined;
}

/** Faults that are told one by one; of the others only how many there are. */
export const MAX_FAULTS = 10_000;

/**
 * Checks every line of a file by itself, and that no two are the same account.
 *
 * @param see is shown every account that is right
 * @returns how many accounts it has
 * @throws Refusal `invalid_file` that names what is wrong with each line
 */
export async function checkFile(
  file: File,
  teams: Teams,
  see: (entry: Entry) => Promise<void> | void = () => undefined,
): Promise<number> {
  const names = new Names();
  const told: { field: string; message: string }[] = [];
  let [accounts, wrong] = [0, 0];
  const refuse = ({ line, errors }: Fault) => {
    wrong += 1;
    for (const { field, message } of errors)
      if (told.length < MAX_FAULTS)
        told.push({ field: field ? `line ${line}, ${field}` : `line ${line}`, message });
  };
  for await (const record of recordsOf(file.path, file.format)) {
    accounts += 1;
    const entry = checked(record, teams, file);
    if ('errors' in entry) refuse(entry);
    else {
      const before = names.add(entry.draft.username, entry.line);
      if (before === undefined) await see(entry);
      else
        refuse({ line: entry.line, errors: [{ field: 'username', message: `Is that of line ${before}` }] });
    }
  }
  if (wrong === 0) return accounts;
  const more = told.length < MAX_FAULTS ? '' : `, of which the first ${MAX_FAULTS} are told`;
  throw new Refusal(
    'invalid_file',
    `${wrong} of ${accounts} accounts are at fault${more}. Nothing has been written`,
    told,
  );
}

/** The accounts of a file that has been checked. */
export async function* entriesOf(file: File, teams: Teams): AsyncGenerator<Entry> {
  for await (const record of recordsOf(file.path, file.format)) {
    const entry = checked(record, teams, file);
    if ('errors' in entry)
      throw new Refusal(
        'file_changed',
        `Line ${entry.line} has changed since it was checked`,
        undefined,
        true,
      );
    yield entry;
  }
}

/** Counts which of the accounts are there; what it is shown last it looks up at the end. */
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
