import { expect, test } from 'vitest';
import { createCode } from '#lib/account/create-code';
import { type Account, FOREVER } from '#lib/item/account';
import type { Limits } from '#lib/item/token';
import { hashOfCode } from '#lib/password/code';
import { codeKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { withOffset } from '#lib/time';
import { type AccountOverrides, NOON, openTestTable } from '../support/engine.ts';
import { accountItem } from '../support/items.ts';
import { setAttributes } from '../support/set-attributes.ts';

const { table, wire, runtime, account, operations, guardedBy } = await openTestTable();
const HOUR = 3_600_000;
const stored = ({ username }: Account) => get(table, codeKey(username));
const ENDING = { lockoutend: withOffset(NOON + 1), lock_reason: '' };
const make = (it: Account, hours?: number) => createCode(runtime, it, {}, { hours });

test.each([
  [undefined, 24],
  [1, 1],
  [72, 72],
])('a one-time code replaces the one before, and ends after %s hours: %s', async (hours, expected) => {
  const ada = await account();
  const former = await make(ada);
  const end = NOON + expected * HOUR;
  wire.reset();
  const { username, code, expires_at } = await make(ada, hours);
  expect(operations()).toEqual(['TransactWriteItems']);
  expect({ username, expires_at }).toEqual({
    username: ada.username,
    expires_at: new Date(end).toISOString(),
  });
  const item = { expires_at: end, ttl: end / 1000 };
  expect(await stored(ada)).toEqual({ ...codeKey(username), sha256: hashOfCode(code), ...item });
  expect(code).not.toBe(former.code);
});

test.each<[string, AccountOverrides, string | undefined]>([
  ['a cancelled account', { isactive: false }, 'account_cancelled'],
  ['a cancelled and locked account', { isactive: false, lockoutend: FOREVER }, 'account_cancelled'],
  ['an account that an administrator has locked', { lockoutend: FOREVER }, 'account_locked'],
  ['an account whose lock has an end', ENDING, 'account_locked'],
  ['an account that is locked for a time', { lockoutend: withOffset(NOON + HOUR) }, undefined],
])('a one-time code of %s is refused with: %s', async (_what, part, code) => {
  const ada = await account(part);
  const made = await make(ada).catch((error) => error);
  expect(made.username === undefined ? made.code : undefined).toBe(code);
  expect(code === undefined).toBe((await stored(ada)) !== undefined);
});

test('a one-time code is created although roles changed in between', async () => {
  const ada = await account();
  await setAttributes(table, ada, { roles: ['a'] });
  expect((await make(ada)).username).toBe(ada.username);
});

test('a one-time code of an administrator’s own account has the guard as its only condition', async () => {
  const ada = await account({ roles: ['sys_administrator'] });
  const guarded = guardedBy(ada);
  expect((await createCode(guarded, ada, {})).username).toBe(ada.username);
  await setAttributes(table, ada, { roles: [] });
  await expect(createCode(guarded, ada, {})).rejects.toMatchObject({ code: 'forbidden' });
});

test.each<[string, Limits]>([
  ['access', { access: 'read' }],
  ['roles', { roles: [], expires_at: NOON + HOUR }],
  ['addresses', { addresses: ['::1'] }],
])('a one-time code is refused to a credential with limits of %s', async (field, limits) => {
  const errors = [{ field, message: 'Requires a credential without limits' }];
  const made = createCode(runtime, await account(), limits);
  await expect(made).rejects.toMatchObject({ code: 'forbidden', errors });
});

test('a one-time code is refused for an account that the table does not have', async () => {
  await expect(make(accountItem())).rejects.toMatchObject({ code: 'account_not_found' });
});

test('a one-time code ends with the credential at the latest', async () => {
  const ada = await account();
  const end = (expires_at: number) => createCode(runtime, ada, { expires_at });
  expect((await end(NOON + HOUR)).expires_at).toBe(new Date(NOON + HOUR).toISOString());
  expect((await end(NOON + 100 * HOUR)).expires_at).toBe(new Date(NOON + 24 * HOUR).toISOString());
});
