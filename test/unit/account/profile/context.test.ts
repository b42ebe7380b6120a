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

type Refusal = [string, object, string, string];
const UNKNOWN = ['other', 'bill', 'Billing', ''];
test.each<Refusal>([
  ...UNKNOWN.map((app): Refusal => [`the unknown name "${app}"`, {}, app, 'app_not_found']),
  ['an application that was removed since', { apps: ['core'] }, 'billing', 'app_not_found'],
  ['a cancelled account', { isactive: false }, 'billing', 'account_cancelled'],
  ['a cancelled account without the application', { isactive: false }, 'other', 'app_not_found'],
])('switchContext refuses %s, and changes nothing', async (_what, meanwhile, app, code) => {
  const stale = await account(APPS);
  const fresh = await setAttributes(table, stale, { phonenumber: '1', ...meanwhile });
  await expect(switchContext(table, stale, app)).rejects.toMatchObject({ code });
  expect(await stored(stale)).toEqual(fresh);
  await remove(table, accountKey(stale.username));
  await expect(switchContext(table, stale, 'core')).rejects.toMatchObject({ code: 'app_not_found' });
  expect(await get(table, accountKey(stale.username)), 'not created again').toBeUndefined();
});
