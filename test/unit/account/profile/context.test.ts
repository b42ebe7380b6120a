import { expect, test } from 'vitest';
import { switchContext } from '#lib/account/profile/context';
import { accountKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { remove } from '#lib/table/write';
import { openTestTable } from '../../support/engine.ts';
import { setAttributes } from '../../support/set-attributes.ts';

const { table, account, stored, operations, wire } = await openTestTable();

const APPS = { apps: ['core', 'billing'] };

test('switchContext makes an application the default and changes nothing else', async () => {
  const before = await account(APPS);
  const expected = { username: before.username, user_app_name: 'billing' };
  wire.reset();
  expect(await switchContext(table, before, 'billing')).toEqual(expected);
  expect(operations()).toEqual(['UpdateItem']);
  expect(await stored(before)).toMatchObject({ ...before, ...expected });
});

test.each(['other', 'bill', 'Billing', ''])(
  'switchContext refuses the unknown application %j',
  async (app) => {
    const before = await account(APPS);
    await expect(switchContext(table, before, app)).rejects.toMatchObject({ code: 'app_not_found' });
    expect(await stored(before)).toMatchObject(before);
  },
);

test.each([
  ['an application that was removed', { apps: ['core'] }, 'billing', 'app_not_found'],
  ['a cancelled account', { isactive: false }, 'billing', 'account_cancelled'],
  ['a cancelled account without the application', { isactive: false }, 'other', 'app_not_found'],
])('switchContext refuses %s since the account was read', async (_what, meanwhile, app, code) => {
  const stale = await account(APPS);
  const fresh = await setAttributes(table, stale, meanwhile);
  await expect(switchContext(table, stale, app)).rejects.toMatchObject({ code });
  expect(await stored(stale)).toEqual(fresh);
});

test('switchContext does not bring back an account that is gone', async () => {
  const gone = await account();
  await remove(table, accountKey(gone.username));
  await expect(switchContext(table, gone, 'core')).rejects.toMatchObject({ code: 'app_not_found' });
  expect(await get(table, accountKey(gone.username))).toBeUndefined();
});
