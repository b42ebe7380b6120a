import type { Command } from 'commander';
import { CoreAccountError, createClient } from '#lib/client/index';
import { pendingEvents } from '#lib/outbox/outbox';
import { highestCost } from '#lib/password/cost';
import { passwordCostKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import type { Table } from '#lib/table/table';
import { type Diagnosis, report } from '../diagnosis.ts';
import { keysOf } from '../keys.ts';
import { describeTable, readTableState, tableFindings } from '../restore/findings.ts';
import { signingKeyFinding } from '../restore/published-key.ts';
import { reading } from '../run.ts';
import type { Target } from '../target.ts';
import {
  clockCheck,
  eventsCheck,
  outputsCheck,
  passwordCostCheck,
  serviceCheck,
  settingsCheck,
  tableCheck,
  unchecked,
} from './checks.ts';

export function doctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check table, keys, clock, events and settings, a line each; exits with 1 if one is wrong')
    .action(
      reading(async (target) => {
        const diagnoses = await diagnose(target);
        return report(diagnoses, {
          code: 'unhealthy',
          message: (faults) => `${faults} of ${diagnoses.length} checks found a fault`,
        });
      }),
    );
}

/** Makes all checks in parallel; a check that cannot be made is wrong and stops no other. */
async function diagnose(target: Target): Promise<Diagnosis[]> {
  const { runtime, data, url, archive, audit } = target;
  const { table, settings, now } = runtime;
  const isLocal = data !== undefined;
  const dateOfDynamoDb = dateOf(table);
  const checks: Record<string, () => Promise<Diagnosis | readonly Diagnosis[]>> = {
    table: async () => tableFindings(await readTableState(table)).map((it) => tableCheck(it, isLocal)),
    signing_key: async () => tableCheck(await signingKeyFinding(keysOf(target), now()), isLocal),
    clock: async () => clockCheck(await dateOfDynamoDb(), Date.now()),
    pending_events: async () => eventsCheck(await pendingEvents(table), now()),
    settings: async () => settingsCheck(settings),
    password_cost: async () =>
      passwordCostCheck(settings, highestCost(await get(table, passwordCostKey), settings)),
    ...(!isLocal && {
      outputs: async () => outputsCheck({ ApiUrl: url, AuditLogGroupName: audit, ArchiveArn: archive }),
    }),
    ...(url !== undefined && { service: async () => serviceCheck(await statusOf(url)) }),
  };
  const made = Object.entries(checks).map(async ([check, make]) =>
    make().catch((error: Error) => unchecked(check, error)),
  );
  return (await Promise.all(made)).flat();
}

/**
 * The header `Date` of an answer of DynamoDB. The client caches its middlewares with the first command of a kind, so the
 * hook is on the client, before its first command.
 */
function dateOf(table: Table): () => Promise<string | undefined> {
  let date: string | undefined;
  table.client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      date = (result.response as { headers?: Record<string, string> }).headers?.['date'];
      return result;
    },
    { step: 'deserialize', priority: 'low' },
  );
  return async () => {
    await describeTable(table);
    return date;
  };
}

/** The status of the answer to a request without a credential, or the reason why there is none. */
async function statusOf(url: string): Promise<number | Error> {
  try {
    await createClient({ url, tries: 1, timeoutMs: 30_000 }).system.ping();
    return 200;
  } catch (error) {
    if (!(error instanceof CoreAccountError)) throw error;
    const failed = error.cause as Error | undefined;
    return error.status || ((failed?.cause ?? failed ?? error) as Error);
  }
}
