import { expect, test } from 'vitest';
import { readAccounts } from '#lib/account/account';
import { setLockoutEnabled } from '#lib/account/lockout-enabled';
import { MAX_APPS, MAX_ROLES, MAX_TEAMS } from '#lib/account/maxima';
import { type Account, FOREVER, isLocked, isLockedByAdministrator, mayAuthenticate } from '#lib/item/account';
import { withOffset } from '#lib/time';
import { NOON, openTestTable } from '../support/engine.ts';
import { accountItem } from '../support/items.ts';

const { table, account, stored, operations, wire } = await openTestTable();

test('an account has at most 100 teams, 100 roles and 100 applications', () => {
  expect([MAX_TEAMS, MAX_ROLES, MAX_APPS]).toEqual([100, 100, 100]);
});

test.each<
  [
    string,
    {
      part: Pick<Partial<Account>, 'lockoutend' | 'lock_reason' | 'isactive'>;
      locked: boolean;
      byAdministrator: boolean;
      authenticates: boolean;
    },
  ]
>([
  ['without a lockout', { part: {}, locked: false, byAdministrator: false, authenticates: true }],
  [
    'locked for good',
    { part: { lockoutend: FOREVER }, locked: true, byAdministrator: true, authenticates: false },
  ],
  [
    'locked for another millisecond',
    { part: { lockoutend: withOffset(NOON + 1) }, locked: true, byAdministrator: false, authenticates: true },
  ],
  [
    'whose lockout ends now',
    { part: { lockoutend: withOffset(NOON) }, locked: false, byAdministrator: false, authenticates: true },
  ],
  [
    'whose lock ends later',
    {
      part: { lockoutend: withOffset(NOON + 1), lock_reason: '' },
      locked: true,
      byAdministrator: true,
      authenticates: false,
    },
  ],
  [
    'whose lock ends now',
    {
      part: { lockoutend: withOffset(NOON), lock_reason: '' },
      locked: false,
      byAdministrator: false,
      authenticates: true,
    },
  ],
  [
    'that is cancelled',
    { part: { isactive: false }, locked: false, byAdministrator: false, authenticates: false },
  ],
  [
    'cancelled and locked for good',
    {
      part: { isactive: false, lockoutend: FOREVER },
      locked: true,
      byAdministrator: true,
      authenticates: false,
    },
  ],
])('an account %s is in the right state', async (_what, { part, locked, byAdministrator, authenticates }) => {
  const item = accountItem(part);
  expect(isLocked(item, NOON)).toBe(locked);
  expect(isLockedByAdministrator(item, NOON)).toBe(byAdministrator);
  expect(mayAuthenticate(item, NOON)).toBe(authenticates);
});

test('readAccounts reads one account by GetItem and several by BatchGetItem, in their order', async () => {
  const [one, two] = [await account({ username: 'Read.Me' }), await account()];
  wire.reset();
  expect(await readAccounts(table, ['READ.me'])).toMatchObject([{ id: one.id, username: 'Read.Me' }]);
  const found = await readAccounts(table, [two.username, 'nobody', 'read.me']);
  expect(found.map((each) => each?.id)).toEqual([two.id, undefined, one.id]);
  expect(operations()).toEqual(['GetItem', 'BatchGetItem']);
});

test.each([false, true])('setLockoutEnabled sets %s and changes nothing else', async (lockoutenabled) => {
  const ada = await stored(await account({ lockoutenabled: !lockoutenabled }));
  const after = await setLockoutEnabled(table, ada, lockoutenabled);
  expect(after).toEqual({ ...ada, lockoutenabled });
  expect(await stored(ada)).toEqual(after);
});

test('setLockoutEnabled creates no account, and does not change a later one of the same name', async () => {
  const ada = await stored(await account());
  for (const gone of [accountItem({ username: 'gone' }), { ...ada, id: 'former' }])
    await expect(setLockoutEnabled(table, gone, false)).rejects.toMatchObject({ code: 'account_not_found' });
  expect(await stored(ada)).toEqual(ada);
});
