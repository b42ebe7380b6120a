import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import type { Command } from 'commander';
import { CoreAccountError, createClient } from '#lib/client/index';
import { pendingEvents } from '#lib/outbox/outbox';
import { dearestCost } from '#lib/password/cost';
import { openSecrets } from '#lib/session/signing-key';
import { passwordCostKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import type { Table } from '#lib/table/table';
import { tableFindings } from '../restore/findings.ts';
import { signingKeyFinding } from '../restore/published-key.ts';
import { readTableState } from '../restore/table-state.ts';
import { Listed, Refusal, reading } from '../run.ts';
import type { Target } from '../target.ts';
import {
  clockCheck,
  type Diagnosis,
  eventsCheck,
  outputsCheck,
  passwordCostCheck,
  serviceCheck,
  settingsCheck,
  tableCheck,
  unchecked,
} from './checks.ts';

/** `admin doctor` */
export function doctorCommand(program: Command): void {
  program
    .command('doctor')
    .description(
      'check table, keys, clock, events and settings, a line each; the exit status is 1 where one is wrong',
    )
    .action(reading(examine));
}

/** @throws Refusal `unhealthy` with what is wrong */
async function examine(target: Target): Promise<Listed> {
  const diagnoses = await diagnose(target);
  const left = diagnoses.filter(({ state }) => state === 'missing' || state === 'wrong');
  if (left.length === 0) return new Listed(diagnoses, diagnoses.map(readable));
  throw new Refusal(
    'unhealthy',
    `${left.length} of ${diagnoses.length} checks found a fault`,
    left.map(({ check, found }) => ({ field: check, message: found })),
    false,
    diagnoses.map(readable),
  );
}

/** All checks side by side; one that cannot be made is wrong, and keeps no other from being made. */
async function diagnose(target: Target): Promise<Diagnosis[]> {
  const { runtime, signingKey, data, url, archive, audit } = target;
  const { table, settings, now } = runtime;
  const checks: Record<string, () => Promise<readonly Diagnosis[]>> = {
    table: async () =>
      tableFindings(await readTableState(table)).map((it) => tableCheck(it, data !== undefined)),
    signing_key: async () => [
      tableCheck(await signingKeyFinding(openSecrets(), signingKey, table, now()), data !== undefined),
    ],
    clock: async () => [clockCheck(await dateOfDynamoDb(table), Date.now())],
    pending_events: async () => [eventsCheck(await pendingEvents(table), now())],
    settings: async () => [settingsCheck(settings)],
    password_cost: async () => [
      passwordCostCheck(settings, dearestCost(await get(table, passwordCostKey), settings)),
    ],
    ...(data === undefined && {
      outputs: async () => [outputsCheck({ ApiUrl: url, AuditLogGroupName: audit, ArchiveArn: archive })],
    }),
    ...(url !== undefined && { service: async () => [serviceCheck(await statusOf(url))] }),
  };
  const made = Object.entries(checks).map(async ([check, make]) =>
    make().catch((error: Error) => [unchecked(check, error)]),
  );
  return (await Promise.all(made)).flat();
}

/** The header `Date` of an answer of DynamoDB. */
async function dateOfDynamoDb({ client, name }: Table): Promise<string | undefined> {
  let date: string | undefined;
  const command = new DescribeTableCommand({ TableName: name });
  command.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      date = (result.response as { headers?: Record<string, string> }).headers?.['date'];
      return result;
    },
    { step: 'deserialize', priority: 'low' },
  );
  await client.send(command);
  return date;
}

/** What the service answers to who has no credential. */
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

const readable = ({ check, state, found }: Diagnosis) => `${state.padEnd(7)}  ${check.padEnd(22)}  ${found}`;
