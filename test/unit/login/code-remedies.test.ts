import { afterEach, expect, test } from 'vitest';
import { changeAccess } from '#lib/account/access';
import { createCode, makerOf } from '#lib/account/create-code';
import { cancelAccount } from '#lib/account/lifecycle/cancel';
import { lockAccount, unlockAccount } from '#lib/account/lifecycle/lock';
import { reactivateAccount } from '#lib/account/lifecycle/reactivate';
import { changeMemberships } from '#lib/account/memberships';
import { openCodeOf } from '#lib/account/open-code';
import { switchContext } from '#lib/account/profile/context';
import { endSessions, resetStamp, resetStamps } from '#lib/account/reset-stamp';
import type { Account } from '#lib/item/account';
import { changePassword } from '#lib/login/change-password';
import { hashOfCode } from '#lib/password/code';
import { setPassword } from '#lib/password/set-password';
import { codeKey } from '#lib/table/keys';
import { put, remove } from '#lib/table/write';
import { HOUR_MS } from '#lib/time';
import { revokeAllTokens } from '#lib/token/revoke';
import { by, NOON } from '../support/engine.ts';
import { gatewayEvent } from '../support/gateway-event.ts';
import { setAttributes } from '../support/set-attributes.ts';
import { publishKey } from '../support/signing-keys.ts';
import { CODE_LISTS, INVALID, openLogin, PASSWORD } from './bench.ts';

const { table, wire, clock, runtime, account, stored, user, operations, guardedBy } = await openLogin();
afterEach(() => {
  clock.time = NOON;
});

const key = await publishKey(table);
const ROOT = by('root');
const NEW = 'battery staple';
const ADMINISTRATOR = { roles: ['sys_administrator', 'other'] };
const DEMOTION = { remove: { roles: ['sys_administrator'] } };

const setBy = (username: string, code: string, new_password = NEW) => {
  const form = { username, code, new_password };
  return changePassword(
    { ...runtime, signingKey: async () => key },
    undefined,
    undefined,
    form,
    gatewayEvent(),
  );
};
const ownPassword = (of: Account, more: { end_codes?: boolean }) => {
  const form = { current_password: PASSWORD, new_password: NEW, ...more };
  return changePassword({ ...runtime, signingKey: async () => key }, of, {}, form, gatewayEvent());
};

/** A code that an administrator made for someone else. */
async function givenCode() {
  const maker = await user(ADMINISTRATOR);
  const target = await account();
  const { code } = await createCode(guardedBy(maker), target, makerOf(maker), {});
  return { maker, target, code };
}
const isOpen = async (of: Account) => (await openCodeOf(runtime, await stored(of))).code_created_at !== null;

type Change = (of: Account) => Promise<unknown>;
const relock: Change = async (of) => {
  await lockAccount(runtime, of, ROOT, { until: NOON + HOUR_MS });
  await unlockAccount(runtime, await stored(of), ROOT);
};

/** Remedies for an administrator whose credentials, or who, cannot be trusted. */
const REMEDIES: [string, Change, undo?: Change][] = [
  ['a reset of its stamp', (of) => resetStamp(runtime, of)],
  [
    'a reset of its stamp, as another request changed it',
    async (of) => {
      await endSessions(runtime, of);
      await resetStamp(runtime, of);
    },
  ],
  ['the revocation of its tokens', (of) => revokeAllTokens(runtime, of, ROOT)],
  ['a reset of all stamps', () => resetStamps(runtime, Number.POSITIVE_INFINITY)],
  ['a lock and an unlock', relock],
  ['a cancel', (of) => cancelAccount(runtime, of, ROOT), (of) => reactivateAccount(runtime, of, ROOT)],
  [
    'the loss of its role by access',
    (of) => changeAccess(runtime, { ...of, username: 'root' }, of, DEMOTION, by('root')),
    (of) => changeMemberships(runtime, of, { add: DEMOTION.remove }),
  ],
  ['the loss of its role by a command', (of) => changeMemberships(runtime, of, DEMOTION)],
  [
    'a new password with end_codes',
    (of) => ownPassword(of, { end_codes: true }),
    (of) => setPassword(runtime, of, PASSWORD),
  ],
];

test.each(REMEDIES)(
  'a code for someone else ends when its maker is met by %s',
  async (_what, remedy, undo) => {
    const { maker, target, code } = await givenCode();
    expect(await isOpen(target)).toBe(true);
    await remedy(maker);
    await undo?.(await stored(maker));
    expect(await isOpen(target)).toBe(false);
    await expect(setBy(target.username, code)).rejects.toMatchObject(INVALID);
  },
);

test.each(REMEDIES)('a code of a request that began before %s is refused', async (_what, remedy) => {
  const maker = await user(ADMINISTRATOR);
  const target = await account();
  await remedy(maker);
  const { code } = await createCode(runtime, await stored(target), makerOf(maker), {});
  await expect(setBy(target.username, code)).rejects.toMatchObject(INVALID);
});

test.each<[string, Change]>([
  ['a demotion', (of) => changeMemberships(runtime, of, DEMOTION)],
  ['a cancel', (of) => cancelAccount(runtime, of, ROOT)],
])('a code is refused after %s of its maker in between', async (_what, meanwhile) => {
  const { maker, target, code } = await givenCode();
  wire.before('TransactWriteItems', () => meanwhile(maker));
  await expect(setBy(target.username, code)).rejects.toMatchObject(INVALID);
  expect((await stored(target)).stamp).toBe(target.stamp);
});

test.each<[string, Change]>([
  ['logs out', (of) => endSessions(runtime, of)],
  ['has a new password', (of) => setPassword(runtime, of, NEW)],
  ['changes its password without end_codes', (of) => ownPassword(of, {})],
  ['loses another role', (of) => changeMemberships(runtime, of, { remove: { roles: ['other'] } })],
  ['switches its application', (of) => switchContext(table, of, of.user_app_name)],
])('a code for someone else works when its maker %s', async (_what, change) => {
  const { maker, target, code } = await givenCode();
  await change(maker);
  expect(await isOpen(target)).toBe(true);
  expect((await setBy(target.username, code)).data.username).toBe(target.username);
});

/** Changes of an account after which a code for it is refused, whoever made it. */
const ENDS: [string, Change][] = [
  ['a logout', (of) => endSessions(runtime, of)],
  ['a reset of its stamp', (of) => resetStamp(runtime, of)],
  ['a new password', (of) => setPassword(runtime, of, NEW)],
  ['a lock and an unlock', relock],
];

test.each(ENDS)('a code that an operator made ends with %s of its account', async (_what, end) => {
  const ada = await account();
  const { code } = await createCode(runtime, ada, ROOT, {});
  expect(await openCodeOf(runtime, ada)).toEqual({
    code_expires_at: new Date(NOON + 24 * HOUR_MS).toISOString(),
    code_created_at: new Date(NOON).toISOString(),
    code_created_by: 'root',
  });
  await end(ada);
  expect(await isOpen(ada)).toBe(false);
  await expect(setBy(ada.username, code)).rejects.toMatchObject(INVALID);
});

test('a code that a thief made for the stolen account ends with the first remedy of its owner', async () => {
  for (const [, remedy] of [...ENDS, ...REMEDIES]) {
    const ada = await user(ADMINISTRATOR);
    const { code } = await createCode(guardedBy(ada), ada, makerOf(ada), {}, { hours: 72 });
    await remedy(ada);
    await expect(setBy(ada.username, code)).rejects.toMatchObject(INVALID);
  }
});

test('a code for oneself is refused when its maker’s number grows in between', async () => {
  const ada = await account(ADMINISTRATOR);
  const { code } = await createCode(guardedBy(ada), ada, makerOf(ada), {});
  wire.before('TransactWriteItems', () => setAttributes(table, ada, { code_generation: 1 }));
  await expect(setBy(ada.username, code)).rejects.toMatchObject({ code: 'unavailable' });
  await expect(setBy(ada.username, code)).rejects.toMatchObject(INVALID);
});

test.each(REMEDIES)('no earlier number written back revives a code after %s', async (_what, remedy, undo) => {
  const maker = await user(ADMINISTRATOR);
  const numbers: number[] = [];
  const codes: [of: Account, code: string][] = [];
  for (let n = 0; n < 2; n++) {
    const now = await stored(maker);
    const target = await account();
    codes.push([target, (await createCode(runtime, target, makerOf(now), {})).code]);
    numbers.push(now.code_generation ?? 0);
    await remedy(now);
    await undo?.(await stored(maker));
  }
  await setAttributes(table, maker, { code_generation: numbers[0] as number });
  await remedy(await stored(maker));
  for (const [{ username }, code] of codes)
    await expect(setBy(username, code)).rejects.toMatchObject(INVALID);
});

test('a code sets a password when its maker had remedies before', async () => {
  const maker = await account(ADMINISTRATOR);
  await resetStamp(runtime, maker);
  const target = await account();
  const { code } = await createCode(runtime, target, makerOf(await stored(maker)), {});
  expect((await setBy(target.username, code)).data.username).toBe(target.username);
  await expect(setBy(target.username, code)).rejects.toMatchObject(INVALID);
});

test('a code is refused when the account of its maker no longer exists', async () => {
  const target = await account();
  const { code } = await createCode(runtime, target, { by: 'erased:1', generation: 0 }, {});
  await expect(setBy(target.username, code)).rejects.toMatchObject(INVALID);
});

test('a code of an earlier version, which recorded no maker, is refused', async () => {
  const { target, code } = await givenCode();
  await put(table, codeKey(target.username), {
    sha256: hashOfCode(code),
    expires_at: NOON + HOUR_MS,
  } as never);
  expect(await isOpen(target)).toBe(false);
  await expect(setBy(target.username, code)).rejects.toMatchObject(INVALID);
});

test('a code that has ended reveals nothing about a password', async () => {
  const { maker, target, code } = await givenCode();
  await cancelAccount(runtime, maker, ROOT);
  await expect(setBy(target.username, code, `${target.username} 1`)).rejects.toMatchObject(INVALID);
});

test.each([
  ['an operator', 1],
  ['an account', 2],
])('a right code of %s takes reads: %s', async (who, reads) => {
  const maker = await account(ADMINISTRATOR);
  const target = await account();
  const { code } = await createCode(runtime, target, who === 'an account' ? makerOf(maker) : ROOT, {});
  for (const list of Object.values(CODE_LISTS)) await remove(table, list(target));
  wire.reset();
  await setBy(target.username, code);
  const before = operations().slice(0, operations().indexOf('TransactWriteItems'));
  expect(before.filter((operation) => operation.endsWith('GetItem'))).toHaveLength(reads);
});
