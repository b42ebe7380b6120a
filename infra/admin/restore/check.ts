import type { Command } from 'commander';
import { type Check, readTableState, tableFindings } from '../../table/findings.ts';
import { mendTable } from '../../table/mend.ts';
import { type Diagnosis, report } from '../diagnosis.ts';
import { type KeyStore, keysOf } from '../keys.ts';
import type { Recorded } from '../recording.ts';
import { type Answer, reading, run } from '../run.ts';
import type { Target } from '../target.ts';
import { publishCurrentKey, signingKeyFinding } from './published-key.ts';

interface Options {
  readonly mend?: true;
}

export function restoreCommands(program: Command): void {
  program
    .command('restore')
    .description('restored tables, before and after their adoption')
    .command('check')
    .description(
      "compare the table with the stack's own settings; exits with 1 if anything is missing or wrong",
    )
    .option('--table <name>', 'another table, such as a restored one')
    .option('--mend', 'add what is missing; removes nothing')
    .action((options: Options, command: Command) =>
      (options.mend ? run : reading)<[Options]>(check)(options, command),
    );
}

/** @throws Refusal `restore_incomplete` with what is missing, `table_not_found` */
async function check(target: Target & Partial<Recorded>, { mend }: Options): Promise<Answer> {
  const store = keysOf(target);
  const now = target.runtime.now();
  const before = await findingsOf(store, now);
  const missing = before.filter(({ state }) => state === 'missing' && mend && !before.some(isNoTable));
  const attempts = new Map<string, unknown>();
  for (const finding of missing) {
    console.error(`mending  ${finding.check}`);
    const attempt = mendOne(store, now, finding).catch((error: unknown) => error);
    const error = await attempt;
    attempts.set(finding.check, error);
    const result = error instanceof Error ? { outcome: error.name, changed: null } : {};
    await target.record?.([{ target: null, ...result, details: { check: finding.check } }]);
  }
  const after = missing.length > 0 ? await findingsOf(store, now) : before;
  return report(
    after.map((finding) => withAttempt(finding, attempts)),
    {
      code: 'restore_incomplete',
      message: () => `The table ${target.runtime.table.name} is incomplete: --mend adds what is missing`,
      changed: missing.length > 0,
    },
  );
}

/** A finding with the result of the attempt to mend it, if there was one. */
function withAttempt(finding: Diagnosis, attempts: ReadonlyMap<string, unknown>): Diagnosis {
  if (!attempts.has(finding.check)) return finding;
  if (finding.state === 'ok') return { ...finding, state: 'mended' };
  const error = attempts.get(finding.check);
  return error instanceof Error
    ? { ...finding, found: `${finding.found}; ${error.name}: ${error.message}` }
    : finding;
}

/** The table is not ready yet, or does not belong to this service. */
const isNoTable = ({ check, state }: Diagnosis) =>
  state === 'wrong' && (check === 'status' || check === 'key_schema');

async function findingsOf(store: KeyStore, now: number): Promise<Diagnosis[]> {
  const findings = tableFindings(await readTableState(store.table));
  // A table of something else has no keys to query.
  return findings.some(isNoTable) ? findings : [...findings, await signingKeyFinding(store, now)];
}

const mendOne = (store: KeyStore, now: number, { check }: Diagnosis) =>
  check === 'signing_key' ? publishCurrentKey(store, now) : mendTable(store.table, check as Check);
