import { describe, expect, test } from 'vitest';
import { switchContext } from '#lib/account/profile/context';
import { accountKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { remove } from '#lib/table/write';
import { openTestTable } from '../../support/engine.ts';
import { setAttributes } from '../../support/set-attributes.ts';

const { table, account, operations, wire } = await openTestTable();

test('a switch makes an application of the account its default, and changes nothing else', async () => {
  const before = await account({ apps: ['core', 'billing'] });
  wire.reset();
  expect(await switchContext(table, before, 'billing')).toEqual({
    username: before.username,
    user_app_name: 'billing',
  });
  expect(operations()).toEqual(['UpdateItem']);
  expect(await get(table, accountKey(before.username))).toMatchObject({
    ...before,
    user_app_name: 'billing',
  });
});

describe('a switch is refused', () => {
  test.each(['other', 'bill', 'Billing', ''])('to %j, which the account does not have', async (app) => {
    const before = await account({ apps: ['core', 'billing'] });
    await expect(switchContext(table, before, app)).rejects.toMatchObject({ code: 'app_not_found' });
    expect(await get(table, accountKey(before.username))).toMatchObject(before);
  });

  test('to one that was taken a moment ago', async () => {
    const stale = await account({ apps: ['core', 'billing'] });
    await setAttributes(table, stale, { apps: ['core'] });
    await expect(switchContext(table, stale, 'billing')).rejects.toMatchObject({ code: 'app_not_found' });
  });

  test('where the account is cancelled, also a moment ago', async () => {
    const stale = await account({ apps: ['core', 'billing'] });
    const cancelled = await setAttributes(table, stale, { isactive: false });
    await expect(switchContext(table, stale, 'billing')).rejects.toMatchObject({ code: 'account_cancelled' });
    await expect(switchContext(table, stale, 'other')).rejects.toMatchObject({ code: 'app_not_found' });
    expect(await get(table, accountKey(stale.username))).toEqual(cancelled);
  });

  test('where the account is gone, and brings nothing of it back', async () => {
    const gone = await account();
    await remove(table, accountKey(gone.username));
    await expect(switchContext(table, gone, 'core')).rejects.toMatchObject({ code: 'app_not_found' });
    expect(await get(table, accountKey(gone.username))).toBeUndefined();
  });
});
