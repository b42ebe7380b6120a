import { expect, test } from 'vitest';
import { createCode, makerOf } from '#lib/account/create-code';
import { notePasswords } from '#lib/account/note-passwords';
import type { Account } from '#lib/item/account';
import { setPassword } from '#lib/password/set-password';
import { accountKey, codeKey, passwordKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { put, remove } from '#lib/table/write';
import { HOUR_MS } from '#lib/time';
import { by, NOON, openTestTable } from '../support/engine.ts';
import { setAttributes } from '../support/set-attributes.ts';

const { table, runtime, account, stored, wire } = await openTestTable();
const ROOT = by('root');

/** An account as an earlier version has left it. */
const former = async (it?: Account): Promise<Account> =>
  setAttributes(table, it ?? (await account()), { password_set: undefined, open_code: undefined });
const notedOf = async (it: Account) => {
  const { password_set, open_code } = await stored(it);
  return { password_set, open_code };
};

test('notePasswords notes passwords and codes of earlier versions once', async () => {
  const [maker, open, none] = await Promise.all([account(), account(), account()]);
  const set = await former();
  await put(table, passwordKey(set.username), { hash: 'x' });
  await createCode(runtime, maker, makerOf(maker), {});
  await createCode(runtime, open, ROOT, {}, { hours: 1 });
  await put(table, codeKey(none.username), { sha256: 'x', expires_at: NOON + HOUR_MS, ttl: 0 } as never);
  for (const it of [maker, open, none]) await former(await stored(it));
  expect(await notePasswords(table)).toBe(4);
  const code = { until: NOON + HOUR_MS, made_at: NOON, stamp: open.stamp };
  const own = { until: NOON + 24 * HOUR_MS, made_at: NOON, stamp: maker.stamp, own_generation: 0 };
  expect(await notedOf(set)).toEqual({ password_set: true, open_code: undefined });
  expect(await notedOf(maker)).toEqual({ password_set: false, open_code: own });
  expect(await notedOf(open)).toEqual({ password_set: false, open_code: code });
  expect(await notedOf(none)).toEqual({ password_set: false, open_code: undefined });
  wire.reset();
  expect(await notePasswords(table)).toBe(0);
});

test.each<[string, (it: Account) => Promise<unknown>, object]>([
  [
    'a password',
    (it) => setPassword(runtime, it, 'battery staple'),
    { password_set: true, open_code: undefined },
  ],
  [
    'a code',
    (it) => createCode({ ...runtime, now: () => NOON + 1 }, it, ROOT, {}, { hours: 2 }),
    {
      password_set: false,
      open_code: { until: NOON + 1 + 2 * HOUR_MS, made_at: NOON + 1, stamp: expect.any(String) },
    },
  ],
])('notePasswords keeps %s that comes meanwhile', async (_, come, expected) => {
  const it = await account();
  await createCode(runtime, it, ROOT, {}, { hours: 1 });
  await former(await stored(it));
  wire.before('UpdateItem', () => come(it));
  await notePasswords(table);
  expect(await notedOf(it)).toEqual(expected);
});

test('notePasswords leaves no item of an account that is erased meanwhile', async () => {
  const it = await former();
  wire.before('UpdateItem', () => remove(table, accountKey(it.username)));
  expect(await notePasswords(table)).toBe(0);
  expect(await get(table, accountKey(it.username))).toBeUndefined();
});
