import type { Command } from 'commander';
import { mendTable, tableFindings } from '../../table/checks.ts';
import { readTableState } from '../../table/state.ts';
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
  const attempts = new Map<string, Error | undefined>();
  for (const { check } of missing) {
    console.error(`mending  ${check}`);
    const mended = check === 'signing_key' ? publishCurrentKey(store, now) : mendTable(store.table, check);
    const error = await mended.then(() => undefined).catch((error: Error) => error);
    attempts.set(check, error);
    const result = error ? { outcome: error.name, changed: null } : {};
    await target.record?.([{ target: null, ...result, details: { check } }]);
  }
  const after = missing.length > 0 ? await findingsOf(store, now) : before;
  const diagnoses = after.map((finding): Diagnosis => {
    if (!attempts.has(finding.check)) return finding;
    if (finding.state === 'ok') return { ...finding, state: 'mended' };
    const error = attempts.get(finding.check);
    return error ? { ...finding, found: `${finding.found}; ${error.name}: ${error.message}` } : finding;
  });
  return report(diagnoses, {
    code: 'restore_incomplete',
    message: () => `The table ${target.runtime.table.name} has faults: --mend adds only what is missing`,
    changed: missing.length > 0,
  });
}

/** Whether the table is not ready yet or does not belong to this service. */
const isNoTable = ({ check, state }: Diagnosis) =>
  state === 'wrong' && (check === 'status' || check === 'key_schema');

async function findingsOf(store: KeyStore, now: number): Promise<Diagnosis[]> {
  const findings = tableFindings(await readTableState(store.table));
  // A table of another program has no keys to query.
  return findings.some(isNoTable) ? findings : [...findings, await signingKeyFinding(store, now)];
}
