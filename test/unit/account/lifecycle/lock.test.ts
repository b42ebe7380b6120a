import { beforeAll, describe, expect, test } from 'vitest';
import { browseAccounts } from '#lib/account/directory/browse';
import { directoryItem } from '#lib/account/directory/item';
import { lockAccount, unlockAccount } from '#lib/account/lifecycle/lock';
import type { Account } from '#lib/item/account';
import { readCounters } from '#lib/stats/counters';
import { accountKey, sliceKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { withOffset } from '#lib/time';
import { by, NOON, openTestTable } from '../../support/engine.ts';
import { lockUntil, setAttributes } from '../../support/set-attributes.ts';

const { table, runtime, account, operations, wire } = await openTestTable();

const FOREVER = '9999-12-31T23:59:59+00:00';
let admin: Account;
beforeAll(async () => {
  admin = await account({ username: 'Root', roles: ['sys_administrator'] });
});

const lock = (target: Account, actor = by('Root')) => lockAccount(runtime, target, actor);
const unlock = (target: Account) => unlockAccount(runtime, target, by('Root'));
const stored = async ({ username }: Account) => (await get(table, accountKey(username))) as Account;

/** How many more are locked after a change than before: for good by the counter, and of either kind in all. */
async function lockedBy(change: () => Promise<unknown>) {
  const read = async () => ({
    forGood: (await readCounters(table)).locked,
    all: (await browseAccounts(runtime, {})).stats.locked,
  });
  const before = await read();
  await change();
  const after = await read();
  return { forGood: after.forGood - before.forGood, all: after.all - before.all };
}

describe('locking', () => {
  test('lasts for ever, ends the sessions and is counted', async () => {
    const target = await account({ roles: ['a'] });
    let result: unknown;
    expect(
      await lockedBy(async () => {
        result = await lock(target);
      }),
    ).toEqual({ forGood: 1, all: 1 });
    expect(result).toEqual({
      ...directoryItem({ ...target, lockoutend: FOREVER }, NOON),
      lockoutend: FOREVER,
      islocked: true,
      changed: true,
    });
    const after = await stored(target);
    expect(after).toMatchObject({
      ...target,
      lockoutend: FOREVER,
      stamp: expect.any(String),
      transitions: 1,
    });
    expect(after.stamp).not.toBe(target.stamp);
  });

  test('of who is locked for good changes nothing, and is not counted again', async () => {
    const target = await account();
    await lock(target);
    const locked = await stored(target);
    wire.reset();
    expect(await lock(locked)).toEqual({ ...directoryItem(locked, NOON), changed: false });
    expect(operations()).toEqual([]);
    expect(await lockedBy(() => lock(target))).toEqual({ forGood: 0, all: 0 });
    expect(await stored(target)).toEqual(locked);
  });

  test('of who is locked for a time is for good, and counted in place of that', async () => {
    const target = await lockUntil(table, await account(), NOON + 60_000);
    expect(await lockedBy(() => lock(target))).toEqual({ forGood: 1, all: 0 });
    const after = await stored(target);
    expect(after.lockoutend).toBe(FOREVER);
    expect(after).not.toHaveProperty('GSI2PK');
    expect(after).not.toHaveProperty('GSI2SK');
  });

  test('is counted once, however many ask at once', async () => {
    const target = await account();
    const results: { changed: boolean }[] = [];
    expect(
      await lockedBy(async () => {
        results.push(...(await Promise.all([lock(target), lock(target), lock(target)])));
      }),
    ).toEqual({ forGood: 1, all: 1 });
    expect(results.filter(({ changed }) => changed)).toHaveLength(1);
  });

  test('shows a cancellation that has come meanwhile', async () => {
    const stale = await account();
    await setAttributes(table, stale, { isactive: false });
    expect(await lock(stale)).toMatchObject({ isactive: false, islocked: true, changed: true });
  });

  test.each(['Root', 'root', 'ROOT'])('oneself, as %s, is refused', async (username) => {
    wire.reset();
    await expect(lock({ ...admin, username })).rejects.toMatchObject({ code: 'self_target' });
    expect(operations()).toEqual([]);
  });
});

describe('unlocking', () => {
  test('ends a lock for good, which is counted no more, and clears the failures so far', async () => {
    const target = await account();
    await lock(target);
    const locked = await stored(target);
    let result: unknown;
    expect(
      await lockedBy(async () => {
        result = await unlock(locked);
      }),
    ).toEqual({ forGood: -1, all: -1 });
    expect(result).toEqual({ ...directoryItem(target, NOON), changed: true });
    const { lockoutend: _, ...rest } = locked;
    expect(await stored(target)).toEqual({ ...rest, failures_cleared_at: NOON, transitions: 2 });
  });

  test('is one write', async () => {
    const target = await account();
    await lock(target);
    const locked = await stored(target);
    wire.reset();
    await unlock(locked);
    expect(operations()).toEqual(['TransactWriteItems']);
  });

  test('ends a lockout for a time, which the counter of those locked for good has not counted', async () => {
    const target = await account();
    const locked = await lockUntil(table, target, NOON + 1);
    expect(await lockedBy(() => unlock(locked))).toEqual({ forGood: 0, all: -1 });
    const { lockoutend: _, ...left } = locked;
    expect(await stored(target)).toEqual({ ...left, failures_cleared_at: NOON, transitions: 1 });
  });

  test('ends a lockout that an earlier version had in an index and did not count', async () => {
    const target = await account();
    const former = { lockoutend: withOffset(NOON + 60_000), GSI2PK: 'LOCKOUTS', GSI2SK: 'then' };
    const locked = await setAttributes(table, target, former as Partial<Account>);
    const before = await get(table, sliceKey(target.username));
    await unlock(locked);
    expect(await get(table, sliceKey(target.username))).toEqual(before);
    expect(await stored(target)).not.toHaveProperty('GSI2PK');
  });

  test('of who is not locked clears the failures so far, and nothing else', async () => {
    const target = await account();
    const before = await stored(target);
    wire.reset();
    expect(await unlock(before)).toEqual({ ...directoryItem(target, NOON), changed: false });
    expect(operations()).toEqual(['UpdateItem']);
    expect(await stored(target)).toEqual({ ...before, failures_cleared_at: NOON });
    expect(await lockedBy(() => unlock(before))).toEqual({ forGood: 0, all: 0 });
  });

  test('after the end of a lockout changes nothing either', async () => {
    const target = await lockUntil(table, await account(), NOON);
    expect(await unlock(target)).toMatchObject({ islocked: false, changed: false });
    expect(await stored(target)).toEqual({ ...target, failures_cleared_at: NOON });
  });

  test('takes from the counter what was locked for good after it was read', async () => {
    const stale = await lockUntil(table, await account(), NOON + 60_000);
    await lock(stale);
    expect(await lockedBy(() => unlock(stale))).toEqual({ forGood: -1, all: -1 });
    expect(await stored(stale)).not.toHaveProperty('lockoutend');
  });

  test('takes from the counter once, however many ask at once', async () => {
    const target = await account();
    await lock(target);
    const locked = await stored(target);
    expect(await lockedBy(() => Promise.all([unlock(locked), unlock(locked), unlock(locked)]))).toEqual({
      forGood: -1,
      all: -1,
    });
  });

  test('brings no session back', async () => {
    const target = await account();
    await lock(target);
    const locked = await stored(target);
    await unlock(locked);
    expect((await stored(target)).stamp).toBe(locked.stamp);
  });

  test('oneself is allowed', async () => {
    const self = await account({ roles: ['sys_administrator'] });
    const locked = await lockUntil(table, self, NOON + 1);
    expect(await unlockAccount(runtime, locked, by(self.username))).toMatchObject({
      islocked: false,
      changed: true,
    });
  });
});
