import { expect, test } from 'vitest';
import { type Account, FOREVER } from '#lib/item/account';
import { LOCKED, lockForATime } from '#lib/login/lockout';
import { readStatistics } from '#lib/stats/statistics';
import { accountKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { put } from '#lib/table/write';
import { withOffset } from '#lib/time';
import { NOON, openTestTable } from '../support/engine.ts';
import { logLines } from '../support/log-lines.ts';

const { table, runtime, account, operations } = await openTestTable();
const lines = logLines();
const MINUTE = 60_000;
const CLEARED = NOON - 30 * MINUTE;

async function accountWith(part: Partial<Account> = {}): Promise<Account> {
  const item = { ...(await account()), ...part };
  await put(table, accountKey(item.username), item);
  return item;
}
const endOf = async ({ username }: Account) => (await get(table, accountKey(username)))?.lockoutend;

test.each<[string, Partial<Account>]>([
  ['that never was locked', {}],
  ['whose lockout ends at this moment', { lockoutend: withOffset(NOON) }],
  ['whose failures were cleared before the login began', { failures_cleared_at: CLEARED }],
])('an account %s is locked for exactly 15 minutes', async (_name, part) => {
  const ada = await accountWith(part);
  await lockForATime(runtime, ada.username, CLEARED);
  expect(await endOf(ada)).toBe('2026-11-20T12:15:00.000+00:00');
  expect(lines).toMatchObject([{ level: 'warn', message: LOCKED }]);
  expect(JSON.stringify(lines)).not.toContain(ada.username);
});

test('an account whose last lockout an earlier version had in an index leaves that: the new one is counted', async () => {
  const former = { lockoutend: withOffset(NOON), GSI2PK: 'LOCKOUTS', GSI2SK: 'then' };
  const ada = await accountWith(former as Partial<Account>);
  await lockForATime(runtime, ada.username, CLEARED);
  const after = await get(table, accountKey(ada.username));
  expect(after).not.toHaveProperty('GSI2PK');
  expect(after).not.toHaveProperty('GSI2SK');
});

test.each<[string, Partial<Account>]>([
  ['that is locked for a time', { lockoutend: withOffset(NOON + 1) }],
  ['that is locked for good', { lockoutend: FOREVER }],
  ['that is exempt', { lockoutenabled: false }],
  ['that is cancelled', { isactive: false }],
  ['whose failures were cleared since', { failures_cleared_at: CLEARED + 1 }],
])('an account %s stays as it is', async (_name, part) => {
  const ada = await accountWith(part);
  await lockForATime(runtime, ada.username, CLEARED);
  expect(await get(table, accountKey(ada.username))).toEqual({ ...accountKey(ada.username), ...ada });
  expect(operations()).toContain('TransactWriteItems');
  expect(lines).toEqual([]);
});

test('an account that is locked for a time is counted once, until 10 s after the end at most', async () => {
  const locked = async (time: number) => (await readStatistics(table, time)).locked;
  const end = NOON + 15 * MINUTE;
  const before = [await locked(end + 9_999), await locked(end + 10_000)] as const;
  const { username } = await account();
  await Promise.all(Array.from({ length: 3 }, () => lockForATime(runtime, username, 0)));
  expect([await locked(end + 9_999), await locked(end + 10_000)]).toEqual([before[0] + 1, before[1]]);
});

test('a name without an account is not locked', async () => {
  await lockForATime(runtime, 'nobody', 0);
  expect(await get(table, accountKey('nobody'))).toBeUndefined();
});
