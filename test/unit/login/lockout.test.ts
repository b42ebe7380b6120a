import { expect, test } from 'vitest';
import { FOREVER } from '#lib/item/account';
import { PER_NAME } from '#lib/login/attempts';
import { LOCKED, lockForATime } from '#lib/login/lockout';
import { countLockout, LOCKOUT_STEP_MS } from '#lib/stats/slices';
import { sliceKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { transact } from '#lib/table/write';
import { withOffset } from '#lib/time';
import { type AccountOverrides, NOON, openTestTable } from '../support/engine.ts';
import { logLines } from '../support/log-lines.ts';
import { MINUTE } from './bench.ts';

const { runtime, account, stored, operations, table } = await openTestTable();
const lines = logLines();
const CLEARED = NOON - 30 * MINUTE;
const END = NOON + (PER_NAME.lockoutMs ?? 0);

test.each<[string, object]>([
  ['that was never locked', {}],
  ['whose lockout ends at this moment', { lockoutend: withOffset(NOON) }],
  ['whose failures were cleared before the login began', { failures_cleared_at: CLEARED }],
  ['whose lock by an administrator ends at this moment', { lockoutend: withOffset(NOON), lock_reason: '' }],
])('a lockout locks an account %s, and logs no name', async (_title, part) => {
  const ada = await account(part);
  await lockForATime(runtime, ada.username, ada, CLEARED);
  const after = await stored(ada);
  expect(after.lockoutend).toBe(withOffset(END));
  expect(after).not.toHaveProperty('lock_reason');
  expect(lines).toMatchObject([{ level: 'warn', message: LOCKED }]);
  expect(JSON.stringify(lines)).not.toContain(ada.username);
});

test.each<[string, AccountOverrides]>([
  ['that is locked for a time', { lockoutend: withOffset(NOON + 1) }],
  ['that an administrator has locked', { lockoutend: FOREVER }],
  ['that an administrator has locked until later', { lockoutend: withOffset(NOON + 1), lock_reason: '' }],
  ['that is exempt', { lockoutenabled: false }],
  ['that is cancelled', { isactive: false }],
  ['whose failures were cleared since', { failures_cleared_at: CLEARED + 1 }],
])('a lockout does not change an account %s', async (_title, part) => {
  const ada = await account(part);
  const before = await stored(ada);
  await lockForATime(runtime, ada.username, ada, CLEARED);
  expect(await stored(ada)).toEqual(before);
  expect(operations()).toContain('TransactWriteItems');
  expect(lines).toEqual([]);
});

test('a lockout replaces the count of a lock that ended in the same ten seconds', async () => {
  const ada = await account({ lockoutend: withOffset(NOON) });
  // Accounts of other tests may share the slice.
  const count = async () =>
    (await get(table, sliceKey(ada.username)))?.[`until:${NOON / LOCKOUT_STEP_MS}`] ?? 0;
  const before = await count();
  await transact(table, [await countLockout(table, ada.username, NOON, NOON - MINUTE)]);
  expect(await count()).toBe(before + 1);
  await lockForATime(runtime, ada.username, ada, CLEARED);
  expect(await count()).toBe(before);
});
