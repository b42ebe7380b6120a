import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CoreAccountError, createClient } from '#lib/client/index';
import { CLIENT_LIMITS } from '#lib/network/aws';
import { pendingEvents } from '#lib/outbox/outbox';
import { passwordCostKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { openTable, type Table } from '#lib/table/table';
import { tableFindings } from '../../table/checks.ts';
import { describeTable, readTableState } from '../../table/state.ts';
import { type Diagnosis, report } from '../diagnosis.ts';
import { allKeysOf } from '../keys.ts';
import type { Output } from '../output.ts';
import { keyFinding, ownKey } from '../restore/erasure-key.ts';
import { KEY_CHECKS, keyFindings } from '../restore/published-key.ts';
import type { Target } from '../target.ts';
import { accountFindings } from './accounts.ts';
import { auditLines } from './audit-lines.ts';
import * as checks from './checks.ts';

/**
 * Reports the checks of an instance.
 *
 * @param copiedWithinMs how long an audit line may take to reach the table
 * @throws Refusal `unhealthy`
 */
export async function examine(target: Target, copiedWithinMs: number): Promise<Output> {
  const diagnoses = await diagnose(target, copiedWithinMs);
  return report(diagnoses, {
    code: 'unhealthy',
    message: (faults) => `${faults} of ${diagnoses.length} checks found a fault`,
  });
}

/** Makes all checks in parallel; a check that cannot be made is wrong and stops no other. */
async function diagnose(opened: Target, copiedWithinMs: number): Promise<Diagnosis[]> {
  const { data, url } = opened;
  // With the time limit of the functions, but one attempt fewer, so that a busy machine names the operation in time.
  const table = openTable(opened.runtime.table.name, undefined, { ...CLIENT_LIMITS, maxAttempts: 2 });
  const target = { ...opened, runtime: { ...opened.runtime, table } };
  const { settings, now } = target.runtime;
  const isLocal = data !== undefined;
  const dateOfDynamoDb = dateOf(table);
  // A client without a credential, which sends each request once.
  const client = createClient({ url, tries: 1 });
  const made: Record<string, () => Promise<Diagnosis | readonly Diagnosis[]>> = {
    table: async () => tableFindings(await readTableState(table)).map((it) => checks.table(it, isLocal)),
    ...Object.fromEntries(
      allKeysOf(target).map((store) => [
        KEY_CHECKS[store.use.signs].own,
        async () => (await keyFindings(store, now())).map((it) => checks.table(it, isLocal)),
      ]),
    ),
    erasure_key: async () => checks.table(keyFinding(await ownKey(target)), isLocal),
    clock: async () => checks.clock(await dateOfDynamoDb(), Date.now()),
    pending_events: async () => checks.events(await pendingEvents(table), now()),
    settings: async () => checks.settings(settings),
    password_cost: async () => checks.passwordCost(settings, await get(table, passwordCostKey)),
    passkeys: async () => accountFindings(target.runtime, COUNTED_WITHIN_MS),
    audit_lines: () => auditLines(target, copiedWithinMs),
    service: async () => checks.refusal('service', await statusOf(client.system.ping({}))),
    login: async () => checks.refusal('login', await statusOf(client.account.login(nobody()))),
  };
  const answers = Object.entries(made).map(async ([check, make]) =>
    Promise.race([make(), late(check === 'audit_lines' ? copiedWithinMs : 0)]).catch((error: Error) =>
      checks.unchecked(check, error),
    ),
  );
  return (await Promise.all(answers)).flat();
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

/** Time for reading accounts. */
const COUNTED_WITHIN_MS = 3000;

/**
 * Time of each other check. With three attempts to read the outputs of a stack, the doctor ends within 10 s, but
 * for an audit line that it waits for.
 */
const CHECKED_WITHIN_MS = 5000;

const late = (waitsMs: number) =>
  sleep(CHECKED_WITHIN_MS + waitsMs, undefined, { ref: false }).then(() => {
    throw new Error(`no answer within ${CHECKED_WITHIN_MS + waitsMs} ms`);
  });

/** Credentials of an unknown account: the login takes every step, and counts a failure of this machine's address only. */
const nobody = () => ({ username: `doctor-${randomUUID()}`, password: randomUUID() });

/** The status of the answer to a request, or the reason why there is none. */
const statusOf = (request: Promise<unknown>): Promise<number | Error> =>
  request.then(
    () => 200,
    ({ status, cause }: CoreAccountError) => status || (((cause as Error).cause ?? cause) as Error),
  );
