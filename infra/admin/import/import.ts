import { stat } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { noteCost } from '#lib/password/cost';
import type { NewPassword } from '#lib/password/hash';
import { showProgress } from '../bulk/progress.ts';
import { Refusal, reading, runLong } from '../run.ts';
import type { Target } from '../target.ts';
import { counted, number } from '../terminal/counted.ts';
import { checkFile, entriesOf, type File, lookUp } from './check.ts';
import { type Entry, type Fault, type Teams, teamsIn } from './entry.ts';
import { openHashPool } from './hash-pool.ts';
import { expectedTime } from './hash-time.ts';
import { type Format, formatOf } from './source.ts';
import { type Summary, writeAccounts } from './write.ts';

interface Options {
  readonly format?: Format;
  readonly dryRun?: true;
  readonly force?: true;
}

const HELP = `
A line has the keys of a profile:
  {"username":"ada","user_first_name":"Ada","teams":["OPS"],"roles":["editor"],"apps":["core"]}
It may also have password, emailconfirmed, lockoutenabled, isactive, islocked and user_properties.
The first line of a CSV file names the columns; lists stand apart by spaces, an empty cell is not given:
  username,user_first_name,teams,roles
  ada,Ada,OPS,editor reviewer
All lines are checked before the first account is written. The same command goes on where another was cut off.`;

/** `admin import` */
export function importCommand(program: Command): void {
  program
    .command('import <file>')
    .description(
      'create the accounts of a file: an account a line, as JSON or CSV; those that exist are left alone',
    )
    .addOption(
      new Option('--format <format>', 'jsonl, or csv; as the name of the file says unless told').choices([
        'jsonl',
        'csv',
      ]),
    )
    .addHelpText('after', HELP)
    .option('--dry-run', 'only check the file, and say what would be done')
    .option('--force', 'give roles that begin with sys_ and are none of the service')
    .action((path: string, options: Options, command: Command) =>
      (options.dryRun ? reading : runLong)<[string, Options]>(options.dryRun ? tryOut : importFile)(
        path,
        options,
        command,
      ),
    );
}

/** A file that can be read twice. @throws Refusal `no_file` */
async function fileAt(path: string, { format = formatOf(path), force }: Options): Promise<File> {
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new Refusal('no_file', `There is no file ${path}`);
  if (!found.isFile()) throw new Refusal('no_file', `${path} is no file that can be read twice`);
  return { path, format, force };
}

/** Checks a file, and shows how far that is. */
function check(file: File, teams: Teams, see: (entry: Entry) => Promise<void> | void): Promise<number> {
  console.error(`Checking ${file.path}`);
  const { tell, end } = showProgress('accounts');
  let done = 0;
  return checkFile(file, teams, (entry) => {
    tell({ done: ++done });
    return see(entry);
  }).finally(end);
}

/** What an import would do. */
async function tryOut({ runtime: { table } }: Target, path: string, options: Options) {
  const file = await fileAt(path, options);
  const { see, end } = lookUp(table);
  const accounts = await check(file, await teamsIn(table), see);
  const existing = await end();
  return { dry_run: true, created: accounts - existing, existing, failed: 0 };
}

async function importFile(target: Target, path: string, options: Options) {
  const { runtime, actor } = target;
  const { table, settings } = runtime;
  const file = await fileAt(path, options);
  const teams = await teamsIn(table);
  let passwords = 0;
  const total = await check(file, teams, ({ draft }) => {
    passwords += Number(draft.password !== undefined);
  });
  console.error(`Importing ${counted(total, 'account')}, ${number(passwords)} of them with a password`);
  if (passwords > 0) await noteCost(table, settings.BcryptCost);

  const started = performance.now();
  const pool = openHashPool();
  const hash = (password: NewPassword) => pool.hash(password, settings.BcryptCost);
  const progress = showProgress('accounts');
  const done = ({ created, existing, failed }: Summary) =>
    progress.tell({ done: created + existing + failed, total });
  const failed = ({ line, errors }: Fault) =>
    progress.say(`line ${line}: ${errors.map(({ message }) => message).join('; ')}`);
  let summary: Summary;
  try {
    const expected = await expectedTime(pool, passwords, settings.BcryptCost);
    if (expected !== undefined) progress.say(expected);
    summary = await writeAccounts({ runtime, actor, hash }, entriesOf(file, teams), { done, failed });
  } finally {
    progress.end();
    await pool.close();
  }
  console.error(whatItTook(total, (performance.now() - started) / 1000));
  if (summary.failed > 0) process.exitCode = 1;
  return summary;
}

/** `Took 66.4 s: 1,506 accounts a second. Memory: 225 MB at most` */
const whatItTook = (accounts: number, seconds: number) =>
  `Took ${seconds.toFixed(1)} s: ${number(accounts / seconds)} accounts a second. Memory: ${number(process.resourceUsage().maxRSS / 1024)} MB at most`;
