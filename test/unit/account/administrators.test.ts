import { afterEach, expect, test } from 'vitest';
import { isAdministrator, keepingAdministrator } from '#lib/account/administrators';
import { lockAccount } from '#lib/account/lifecycle/lock';
import { removeMemberships } from '#lib/account/memberships';
import { type Account, FOREVER } from '#lib/item/account';
import { withOffset } from '#lib/time';
import { type AccountOverrides, by, NOON, openTestTable } from '../support/engine.ts';
import { setAttributes } from '../support/set-attributes.ts';

const { table, runtime, account, stored } = await openTestTable();
const administrators: Account[] = [];
const administrator = async (state: AccountOverrides = {}) => {
  const created = await account({ roles: ['sys_administrator'], ...state });
  administrators.push(created);
  return created;
};
// Those of other tests are no administrators any more.
afterEach(async () => {
  for (const one of administrators.splice(0)) await setAttributes(table, one, { isactive: false });
});
const REFUSED = { code: 'last_administrator' };

test('keepingAdministrator refuses unless another account is an active, unlocked administrator', async () => {
  const [last] = [await administrator(), await account({ roles: ['sys_tokens'] })];
  await administrator({ isactive: false });
  await administrator({ lockoutend: FOREVER });
  await administrator({ lockoutend: withOffset(NOON + 1), lock_reason: '' });
  await expect(keepingAdministrator(runtime, last)).rejects.toMatchObject(REFUSED);
  const other = await administrator();
  const kept = await keepingAdministrator(runtime, { ...last, username: last.username.toUpperCase() });
  expect(kept.guard?.Key.PK).toBe(`ACCOUNT#${other.username}`);
  await lockAccount({ ...runtime, table: kept }, last, by('operator:x'));
  expect(isAdministrator(await stored(last), NOON)).toBe(false);
});

test('changes of the last two administrators in parallel leave one of them', async () => {
  const [ada, bob] = [await administrator(), await administrator()];
  const roles = { roles: ['sys_administrator'], apps: [], teams: [] };
  const [withoutAda, withoutBob] = [
    await keepingAdministrator(runtime, ada),
    await keepingAdministrator(runtime, bob),
  ];
  const ends = await Promise.allSettled([
    removeMemberships(withoutAda, ada, roles),
    lockAccount({ ...runtime, table: withoutBob }, bob, by('operator:x')),
  ]);
  expect(ends.find(({ status }) => status === 'rejected')).toMatchObject({ reason: REFUSED });
  const left = [await stored(ada), await stored(bob)].filter((one) => isAdministrator(one, NOON));
  expect(left).toHaveLength(1);
});

test('a change is unavailable when the other administrator has changed and still is one', async () => {
  const [ada] = [await administrator(), await administrator()];
  const kept = await keepingAdministrator(runtime, ada);
  const other = kept.guard?.Key.PK.slice('ACCOUNT#'.length) as string;
  await setAttributes(table, await stored({ username: other }), { transitions: 7 });
  const change = lockAccount({ ...runtime, table: kept }, ada, by('operator:x'));
  await expect(change).rejects.toMatchObject({ code: 'unavailable' });
});
