import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { endpoint } from '#lib/handler/endpoint';
import { accountKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { transact } from '#lib/table/write';
import { cancelled, DOWN, type Script, THROTTLED } from '../../wire/dynamodb-proxy.ts';
import { call, createSigningKey, OPEN, openEndpoints } from '../support/endpoints.ts';
import { logLines } from '../support/log-lines.ts';
import { shortestWaits } from '../support/shortest-waits.ts';

const lines = logLines();
const { table, wire, caller, session } = await openEndpoints();
const { headers } = await caller();

shortestWaits();

const ADA = accountKey('ada');
const write = {
  Update: { Key: ADA, UpdateExpression: 'SET a = :a', ExpressionAttributeValues: { ':a': 1 } },
};
const reads = endpoint(OPEN, async (_request, { table }) => (await get(table, ADA)) ?? 'nothing');
const transacts = endpoint(OPEN, async (_request, { table }) => (await transact(table, [write])) ?? 'done');
const AUTHENTICATED = { ...OPEN, access: 'authenticated' } as const;
const authenticates = endpoint(AUTHENTICATED, () => 'verified');

/** The answer during an outage, with the time of a retry and without a reason. */
const unavailable = (retryAfter: number) => ({
  status: 503,
  headers: { 'cache-control': 'no-store', 'retry-after': String(retryAfter) },
  payload: { success: false, data: { code: 'unavailable' } },
});
test.each<[string, typeof reads, Script, retryAfter: number]>([
  ['a throttled read', reads, () => THROTTLED, 5],
  ['a throttled authentication', authenticates, () => THROTTLED, 5],
  ['cancelled transactions', transacts, () => cancelled('None', 'ThrottlingError'), 1],
  ['an outage', reads, () => DOWN, 5],
])('the answer after %s is 503 with the time of a retry', async (_title, handler, script, retryAfter) => {
  wire.script(script);
  expect(await call(handler, { headers })).toMatchObject(unavailable(retryAfter));
  expect(lines).toMatchObject([
    { level: 'error', code: 'unavailable' },
    { level: 'info', function: 'test.open', status: 503 },
  ]);
});

test.each([
  [503, AUTHENTICATED],
  [200, { ...AUTHENTICATED, accountCacheMs: () => 0 }],
] as const)('a request with a known session is answered with %i in an outage', async (status, contract) => {
  const { account } = await caller();
  const authorization = `Bearer ${await session(account, await createSigningKey(table), Date.now())}`;
  const handler = endpoint(contract as typeof AUTHENTICATED, () => 'verified');
  expect(await call(handler, { headers: { authorization } })).toMatchObject({ status: 200 });
  wire.script(() => DOWN);
  expect(await call(handler, { headers: { authorization } })).toMatchObject({ status });
});

test.each<[string, number, ms: number | undefined, object]>([
  ['is answered with 503 when less than half a second would be left', 530, 200, unavailable(5)],
  ['has its answer when more is left', 30_000, 200, { status: 200 }],
  ['has its answer when it is given at once', 0, undefined, { status: 200 }],
])('a rule %s', async (_title, remainingMs, ms, answer) => {
  const rule = endpoint(OPEN, () => (ms === undefined ? 'done' : sleep(ms, 'done')));
  expect(await call(rule, {}, remainingMs)).toMatchObject(answer);
});
