import { stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { Tinypool } from 'tinypool';
import { readAccounts } from '#lib/account/account';
import { type Format, formatOf } from '#lib/account/file';
import type { FileLine } from '#lib/account/file/line';
import { rejectedLine, rejectsHead } from '#lib/account/file/rejects';
import type { Settings } from '#lib/instance/settings';
import { noteCosts } from '#lib/password/cost';
import type { NewPassword } from '#lib/password/hash';
import { type Cost, costIn } from '#lib/password/imported';
import { MAX_BATCH } from '#lib/table/read';
import type { Table } from '#lib/table/table';
import { csvLine } from '#lib/text/csv';
import { foldCase } from '#lib/text/fold-case';
import { Output, readable } from '../output.ts';
import type { Recorded } from '../recording.ts';
import { Refusal } from '../refusal.ts';
import type { Target } from '../target.ts';
import { counted, number, showProgress } from '../terminal/progress.ts';
import { erasedNames, type Outcome, type Writer } from './batch.ts';
import { type Checked, checkFile, entriesOf, type File, namesOf, removeHeld } from './check.ts';
import { type Entry, type Teams, teamsIn } from './entry.ts';
import { createFile } from './new-file.ts';
import { inChunks, writeAccounts } from './write.ts';

export interface ImportOptions {
  readonly format?: Format;
  readonly force?: true;
  readonly rejects?: string;
  readonly report?: string;
}

/** @throws Refusal `no_file` for anything but a file that can be read twice */
async function fileAt(
  path: string,
  { format = formatOf(path), force }: ImportOptions,
  { OwnerName }: Settings,
): Promise<File> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) throw new Refusal('no_file', `There is no regular file ${path}`);
  return { path, format, force, owner: OwnerName };
}

interface Rejects {
  readonly add?: (line: FileLine) => void;
  end(): Promise<void>;
}

/** Opens the file of the lines that are not imported. */
async function openRejects({ rejects: path }: ImportOptions): Promise<Rejects> {
  if (path === undefined) return { end: () => Promise.resolve() };
  const file = await createFile(path);
  let count = 0;
  return {
    add: (line: FileLine) => {
      file.write((count++ === 0 ? rejectsHead(line) : '') + rejectedLine(line));
    },
    end: async () => {
      await file.end();
      if (count > 0) console.error(`${path} has ${counted(count, 'line')} with their faults`);
    },
  };
}

/** Opens the report of an import: a line for each account. */
async function openReport({ report: path }: ImportOptions) {
  const file = path === undefined ? undefined : await createFile(path);
  // A spreadsheet reads UTF-8 only after this mark.
  let head = `\ufeff${csvLine(['line', 'username', 'user_first_name', 'user_last_name', 'outcome'])}`;
  return {
    add: ({ line, draft }: Entry, outcome: Outcome) => {
      const { username, user_first_name, user_last_name } = draft;
      file?.write(head + csvLine([line, username, user_first_name, user_last_name, outcome]));
      head = '';
    },
    end: () => file?.end(),
  };
}

/** Checks the file, and lists its new roles and applications. */
async function check(
  table: Table,
  file: File,
  teams: Teams,
  reject?: (line: FileLine) => void,
  see: (entry: Entry) => void = () => undefined,
) {
  console.error(`Checking ${file.path}`);
  const { tell, end } = showProgress('accounts');
  const names = new Set<string>();
  let done = 0;
  const checked = await checkFile(
    file,
    teams,
    (entry) => {
      tell({ done: ++done });
      if (entry === undefined) return;
      for (const name of namesOf(entry.draft)) names.add(name);
      see(entry);
    },
    reject,
  ).finally(end);
  await removeHeld(table, names);
  if (names.size > 0) console.error(`New roles and applications: ${[...names].join(', ')}`);
  return checked;
}

const counting = ({ add }: Rejects, { size }: Checked['rejected']): { rejected?: number } =>
  add ? { rejected: size } : {};

/** Another person may have the name: the line comes back, though it is no fault of an import that continues. */
const EXISTS = { field: '', message: 'An account with this username exists' };

/** Checks a file of accounts, without a change. @throws Refusal `no_file`, `file_exists`, `invalid_file` */
export async function checkOnly({ runtime }: Target, path: string, options: ImportOptions) {
  const { table, settings } = runtime;
  const file = await fileAt(path, options, settings);
  const rejects = await openRejects(options);
  const teams = await teamsIn(table);
  try {
    const { accounts, rejected } = await check(table, file, teams, rejects.add);
    let existing = 0;
    let failed = 0;
    for await (const chunk of inChunks(entriesOf(file, teams, rejected), MAX_BATCH)) {
      const usernames = chunk.map(({ draft }) => draft.username);
      const found = await readAccounts(table, usernames);
      const { ofNames, ofIds } = await erasedNames(runtime, usernames);
      const erased = new Map([...(options.force ? [] : ofNames), ...ofIds]);
      for (const [index, { draft, line, source }] of chunk.entries()) {
        const fault = erased.get(foldCase(draft.username));
        if (found[index] !== undefined) {
          existing += 1;
          rejects.add?.({ ...source, errors: [EXISTS] });
        } else if (fault !== undefined) {
          failed += 1;
          rejects.add?.({ ...source, errors: [{ field: '', message: fault }] });
          console.error(`line ${line}: ${fault}`);
        }
      }
    }
    const created = accounts - rejected.size - existing - failed;
    const summary = { dry_run: true, created, existing, failed, ...counting(rejects, rejected) };
    return new Output(summary, { text: readable(summary), hasFailed: failed + rejected.size > 0 });
  } finally {
    await rejects.end();
  }
}

/** Creates the accounts of a file. @throws Refusal `no_file`, `file_exists`, `invalid_file`, `file_changed` */
export async function importFile(target: Recorded, path: string, options: ImportOptions): Promise<Output> {
  const file = await fileAt(path, options, target.runtime.settings);
  const rejects = await openRejects(options);
  try {
    const report = await openReport(options);
    const add: typeof report.add = (entry, outcome) => {
      report.add(entry, outcome);
      if (outcome === 'existing') rejects.add?.({ ...entry.source, errors: [EXISTS] });
    };
    return await importChecked(target, file, rejects, add, options.force).finally(report.end);
  } finally {
    await rejects.end();
  }
}

async function importChecked(
  target: Recorded,
  file: File,
  rejects: Rejects,
  report: NonNullable<Writer['report']>,
  force: true | undefined,
): Promise<Output> {
  const { runtime, note } = target;
  const { table, settings } = runtime;
  let passwords = 0;
  const costs = new Map<string, Cost>();
  const teams = await teamsIn(table);
  const { accounts, rejected } = await check(table, file, teams, rejects.add, ({ draft }) => {
    passwords += Number(draft.password !== undefined);
    if (draft.password_hash === undefined) return;
    const cost = costIn(draft.password_hash);
    costs.set(`${cost.kind} ${cost.cost}`, cost);
  });
  const total = accounts - rejected.size;
  note({ count: total });
  console.error(`Importing ${counted(total, 'account')}, ${number(passwords)} of them with a password`);
  if (passwords > 0) costs.set('', { kind: 'cost', cost: settings.BcryptCost });
  await noteCosts(table, [...costs.values()]);

  const started = performance.now();
  const pool = new Tinypool({
    filename: new URL('./hash-worker.ts', import.meta.url).href,
    minThreads: passwords > 0 ? availableParallelism() : 0,
  });
  const hash = (password: NewPassword): Promise<string> => pool.run({ password, cost: settings.BcryptCost });
  const progress = showProgress('accounts');
  const written = await writeAccounts({ ...target, hash, force, report }, entriesOf(file, teams, rejected), {
    done: ({ created, existing, failed }) => progress.tell({ done: created + existing + failed, total }),
    failed: ({ line, errors, source }) => {
      rejects.add?.({ ...source, errors });
      progress.say(`line ${line}: ${errors.map(({ message }) => message).join('; ')}`);
    },
  }).finally(() => {
    progress.end();
    return pool.destroy();
  });
  // A survey of the costs that began before the import may have removed them.
  await noteCosts(table, [...costs.values()]);
  const summary = { ...written, ...counting(rejects, rejected) };
  note({ ...summary });
  const seconds = (performance.now() - started) / 1000;
  console.error(`Took ${seconds.toFixed(1)} s: ${number(total / seconds)} accounts a second`);
  return new Output(summary, { text: readable(summary), hasFailed: written.failed + rejected.size > 0 });
}
