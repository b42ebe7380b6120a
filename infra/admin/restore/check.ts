import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { Command } from 'commander';
import { openSecrets } from '#lib/session/signing-key';
import { Listed, Refusal, reading, run } from '../run.ts';
import type { Target } from '../target.ts';
import { type Finding, tableFindings } from './findings.ts';
import { mendTable } from './mend.ts';
import { publishCurrentKey, signingKeyFinding } from './published-key.ts';
import { readTableState } from './table-state.ts';

interface Options {
  readonly mend?: true;
}

/** `admin restore ...`: a table that was restored, before it is adopted and after. */
export function restoreCommands(program: Command): void {
  program
    .command('restore')
    .description('a table that was restored')
    .command('check')
    .description('say what the table lacks of what the stack gives its own; the exit status is then 1')
    .option('--table <name>', 'another table than that of the instance, such as a restored one')
    .option('--mend', 'give it what it lacks; nothing is taken away')
    .action((options: Options, command: Command) =>
      (options.mend ? run : reading)<[Options]>(check)(options, command),
    );
}

/** @throws Refusal `restore_incomplete` with what is missing, `table_not_found` */
async function check(target: Target, { mend }: Options): Promise<Listed> {
  const secrets = openSecrets();
  const before = await findingsOf(target, secrets);
  const attempts = new Map<string, unknown>();
  if (mend && !before.some(isNoTable))
    for (const finding of before.filter(({ state }) => state === 'missing')) {
      console.error(`mending  ${finding.check}`);
      const attempt = mendOne(target, secrets, finding).catch((error: unknown) => error);
      attempts.set(finding.check, await attempt);
    }
  const after = attempts.size > 0 ? await findingsOf(target, secrets) : before;
  const findings = after.map((finding) => withAttempt(finding, attempts));

  const left = findings.filter(({ state }) => state === 'missing' || state === 'wrong');
  if (left.length === 0) return new Listed(findings, findings.map(readable));
  throw new Refusal(
    'restore_incomplete',
    `The table ${target.runtime.table.name} is not as it should be`,
    left.map(({ check, found }) => ({ field: check, message: found })),
    attempts.size > 0,
    findings.map(readable),
  );
}

/** A finding with what came of the attempt to mend it, if there was one. */
function withAttempt(finding: Finding, attempts: ReadonlyMap<string, unknown>): Finding {
  if (!attempts.has(finding.check)) return finding;
  if (finding.state === 'ok') return { ...finding, state: 'mended' };
  const error = attempts.get(finding.check);
  return error instanceof Error
    ? { ...finding, found: `${finding.found}; ${error.name}: ${error.message}` }
    : finding;
}

/** It is not there yet, or it is none of this service. */
const isNoTable = ({ check, state }: Finding) =>
  state === 'wrong' && (check === 'status' || check === 'key_schema');

async function findingsOf({ runtime, signingKey }: Target, secrets: SecretsManagerClient) {
  const { table, now } = runtime;
  const findings = tableFindings(await readTableState(table));
  // Another table has no keys to be asked for.
  if (findings.some(isNoTable)) return findings;
  return [...findings, await signingKeyFinding(secrets, signingKey, table, now())];
}

const mendOne = (
  { runtime: { table, now }, signingKey }: Target,
  secrets: SecretsManagerClient,
  it: Finding,
) =>
  it.check === 'signing_key'
    ? publishCurrentKey(secrets, signingKey, table, now())
    : mendTable(table, it.check);

const readable = ({ check, state, found }: Finding) => `${state.padEnd(7)}  ${check.padEnd(22)}  ${found}`;
