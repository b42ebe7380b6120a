import { afterEach, expect, test } from 'vitest';
import { changeAccess } from '#lib/account/access';
import { isAdministrator, keepingAdministrator } from '#lib/account/administrators';
import { lockAccount } from '#lib/account/lifecycle/lock';
import { type Account, FOREVER } from '#lib/item/account';
import { withOffset } from '#lib/time';
import { type AccountOverrides, by, NOON, openTestTable } from '../support/engine.ts';
import { setAttributes } from '../support/set-attributes.ts';

const { table, runtime, account, stored, team, operations, wire, guardedBy } = await openTestTable();
const administrators: Account[] = [];
const administrator = async (state: AccountOverrides = {}) => {
  const created = await account({ roles: ['sys_administrator'], ...state });
  administrators.push(created);
  return created;
};
// Cancels the administrators of each test, so that the next one has none.
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
  const guarded = guardedBy(last);
  const both = await keepingAdministrator(guarded, last);
  expect(both.guard?.next).toBe(guarded.table.guard);
  await lockAccount({ ...runtime, table: kept }, last, by('operator:x'));
  expect(isAdministrator(await stored(last), NOON)).toBe(false);
});

const TAKING = { remove: { roles: ['sys_administrator'] } };
const take = (caller: Account, target: Account) =>
  changeAccess(guardedBy(caller), caller, target, TAKING, by('admin'));

test.each([
  ['each other', true, ['forbidden']],
  ['themselves', false, ['unavailable', 'last_administrator']],
])(
  'changeAccess leaves one of two administrators who take the role from %s at once',
  async (_whom, crossed, codes) => {
    for (let round = 0; round < 5; round++) {
      const both = [await administrator(), await administrator()] as const;
      const [ada, bob] = both;
      const ends = await Promise.allSettled(
        crossed ? [take(ada, bob), take(bob, ada)] : both.map((it) => take(it, it)),
      );
      const failed = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason.code] : []));
      expect([failed.length, codes.includes(failed[0])]).toEqual([1, true]);
      const [left, ...others] = (await Promise.all(both.map(stored))).filter((one) =>
        isAdministrator(one, NOON),
      );
      expect(others).toEqual([]);
      await expect(take(left as Account, left as Account)).rejects.toMatchObject(REFUSED);
      await setAttributes(table, left as Account, { isactive: false });
    }
  },
);

test('changeAccess searches for an administrator only when the caller gives up its own role', async () => {
  const [ada, bob] = [await administrator(), await administrator()];
  wire.reset();
  await take(ada, bob);
  expect(operations()).toEqual(['TransactWriteItems']);
  const input = { add: { roles: ['sys_administrator'] } };
  await changeAccess(runtime, ada, await stored(bob), input, by('admin'));
  expect(operations()).not.toContain('Query');
  await take(ada, ada);
  expect(operations()).toContain('Query');
});

test('changeAccess returns and logs its changes, with teams by their IDs and by their short names', async () => {
  const [A, B] = [await team('A'), await team('B')];
  const caller = await administrator();
  const target = await account({ roles: ['r'], teams: ['A'], apps: ['x', 'y'] });
  const input = { add: { roles: ['r', 's'], teams: ['b'] }, remove: { teams: ['a'], apps: ['x', 'z'] } };
  const names = { roles_added: ['s'], apps_removed: ['x'] };
  const ids = { teams_added: [B.team_id], teams_removed: [A.team_id] };
  expect(await changeAccess(runtime, caller, target, input, by('admin'))).toMatchObject({
    data: { username: target.username, ...names, ...ids, roles_removed: [], apps_added: [] },
    details: { ...names, teams_added: ['B'], teams_removed: ['A'] },
    changed: true,
  });
  const repeat = await changeAccess(runtime, caller, target, input, by('admin'));
  expect(repeat).toMatchObject({ details: {}, changed: false });
});
