import { stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { Tinypool } from 'tinypool';
import { readAccounts } from '#lib/account/account';
import { type Format, formatOf } from '#lib/account/file';
import type { Settings } from '#lib/instance/settings';
import { noteCosts } from '#lib/password/cost';
import type { NewPassword } from '#lib/password/hash';
import { type Cost, costIn } from '#lib/password/imported';
import { MAX_BATCH } from '#lib/table/read';
import type { Table } from '#lib/table/table';
import { Output, readable } from '../output.ts';
import type { Recorded } from '../recording.ts';
import { Refusal } from '../refusal.ts';
import type { Target } from '../target.ts';
import { counted, number, showProgress } from '../terminal/progress.ts';
import { checkFile, entriesOf, type File, namesOf, removeHeld } from './check.ts';
import { type Entry, type Teams, teamsIn } from './entry.ts';
import { inChunks, writeAccounts } from './write.ts';

export interface ImportOptions {
  readonly format?: Format;
  readonly force?: true;
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

/** Checks the file, and lists its new roles and applications. */
async function check(table: Table, file: File, teams: Teams, see: (entry: Entry) => void = () => undefined) {
  console.error(`Checking ${file.path}`);
  const { tell, end } = showProgress('accounts');
  const names = new Set<string>();
  let done = 0;
  const total = await checkFile(file, teams, (entry) => {
    tell({ done: ++done });
    if (entry === undefined) return;
    for (const name of namesOf(entry.draft)) names.add(name);
    see(entry);
  }).finally(end);
  await removeHeld(table, names);
  if (names.size > 0) console.error(`New roles and applications: ${[...names].join(', ')}`);
  return total;
}

/** Checks a file of accounts, without a change. @throws Refusal `no_file`, `invalid_file` */
export async function checkOnly(
  { runtime: { table, settings } }: Target,
  path: string,
  options: ImportOptions,
) {
  const file = await fileAt(path, options, settings);
  const teams = await teamsIn(table);
  const total = await check(table, file, teams);
  let existing = 0;
  for await (const chunk of inChunks(entriesOf(file, teams), MAX_BATCH)) {
    const usernames = chunk.map(({ draft }) => draft.username);
    existing += (await readAccounts(table, usernames)).filter(Boolean).length;
  }
  return { dry_run: true, created: total - existing, existing, failed: 0 };
}

/** Creates the accounts of a file. @throws Refusal `no_file`, `invalid_file`, `file_changed` */
export async function importFile(target: Recorded, path: string, options: ImportOptions): Promise<Output> {
  const { runtime, note } = target;
  const { table, settings } = runtime;
  const file = await fileAt(path, options, settings);
  let passwords = 0;
  const costs = new Map<string, Cost>();
  const teams = await teamsIn(table);
  const total = await check(table, file, teams, ({ draft }) => {
    passwords += Number(draft.password !== undefined);
    if (draft.password_hash === undefined) return;
    const cost = costIn(draft.password_hash);
    costs.set(`${cost.kind} ${cost.cost}`, cost);
  });
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
  const summary = await writeAccounts({ ...target, hash }, entriesOf(file, teams), {
    done: ({ created, existing, failed }) => progress.tell({ done: created + existing + failed, total }),
    failed: ({ line, errors }) =>
      progress.say(`line ${line}: ${errors.map(({ message }) => message).join('; ')}`),
  }).finally(() => {
    progress.end();
    return pool.destroy();
  });
  // A survey of the costs that began before the import may have removed them.
  await noteCosts(table, [...costs.values()]);
  note({ ...summary });
  const seconds = (performance.now() - started) / 1000;
  console.error(`Took ${seconds.toFixed(1)} s: ${number(total / seconds)} accounts a second`);
  return new Output(summary, { text: readable(summary), hasFailed: summary.failed > 0 });
}
