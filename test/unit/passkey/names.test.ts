import { expect, test } from 'vitest';
import { createPasskey } from '#lib/passkey/create';
import { removePasskey } from '#lib/passkey/delete';
import { MAX_NAME } from '#lib/passkey/name';
import { passkeyIdOf } from '#lib/passkey/passkey';
import { contract as creation } from '#lib/passkey/passkey-create.contract';
import { contract as deletion } from '#lib/passkey/passkey-delete.contract';
import { newAuthenticator } from '../../authenticator.ts';
import { by } from '../support/engine.ts';
import { setAttributes } from '../support/set-attributes.ts';
import { ORIGIN, openPasskeys } from './bench.ts';

const { table, runtime, account, stored, enrol, session, optionsFor } = await openPasskeys({
  Events: 'user_cancel,passkey_create,passkey_delete',
});

/** A name as the endpoint of a new passkey reads it from the path; undefined if it refuses it. */
const created = (passkey_name: string) => creation.params().safeParse({ passkey_name }).data?.passkey_name;
const named = (passkey_name: string) => deletion.params().safeParse({ passkey_name }).data?.passkey_name;

const FAMILY = '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}';

test.each([
  "Anna's iPhone",
  'Annas Schlüssel',
  'Büro (links), 2. Stock #3',
  '50 % + 1?',
  '王小明的手机',
  'مفتاح سارة',
  'मेरा फ़ोन',
  `Familie ${FAMILY}`,
  '❤️',
  'phone-1',
  '...',
  '.ssh',
  'a%2Fb',
  '-',
  'constructor',
  '\u{1f511}'.repeat(MAX_NAME),
])('a passkey may have the name %s', (name) => {
  expect([created(name), named(name)]).toEqual([name.normalize('NFC'), name.normalize('NFC')]);
});

test.each([
  ['white space around it', '  Anna’s phone \n', 'Anna’s phone'],
  ['invisible characters around it', '\ufeff\u200bphone\u00a0\u2060', 'phone'],
  ['decomposed letters', 'Bu\u0308ro', 'Büro'],
])('a name with %s is stored without', (_, typed, expected) => {
  expect([created(typed), named(typed)]).toEqual([expected, expected]);
});

test.each([
  ['nothing', ''],
  ['white space only', ' \u00a0\u3000'],
  ['invisible characters only', '\u200b\u2060'],
  ['a joiner within invisible characters', '\ufe0f\u200d\u3164'],
  ['a blank of braille', '\u2800'],
  ['invisible tags', '\u{e0041}\u{e0042}'],
  ['a slash', 'a/b'],
  ['a slash in front', '/bob'],
  ['a backslash', 'a\\b'],
  ['a dot', '.'],
  ['two dots', '..'],
  ['two dots in white space', ' .. '],
  ['a null', 'a\0b'],
  ['a line break', 'a\nb'],
  ['a line separator', 'a\u2028b'],
  ['an escape', 'a\u001b[2J'],
  ['a C1 control', 'a\u009b1m'],
  ['an override', 'a\u202eb'],
  ['an override in front', '\u202eabc'],
  ['an isolate', 'a\u2066b'],
  ['one character too many', 'x'.repeat(MAX_NAME + 1)],
  ['one emoji too many', '\u{1f511}'.repeat(MAX_NAME + 1)],
  ['a token', `cst_${'a'.repeat(36)}`],
  ['what the SDK cannot store', '__proto__'],
])('a new passkey is refused by a name of %s', (_, name) => {
  expect(created(name)).toBeUndefined();
});

test('a name that an earlier version has accepted stays addressable', () => {
  const longest = `x${'._-'.repeat(42)}y`;
  expect([longest.length, created(longest), named(longest)]).toEqual([128, undefined, longest]);
});

test.each([
  ["Anna's iPhone", "anna's IPHONE"],
  ['Schloß', 'SCHLOSS'],
  ['STRAẞE', 'straße'],
  ['ΟΔΥΣΣΕΥΣ', 'οδυσσευς'],
  ['ﬁle', 'FILE'],
  ['\u212aey', 'key'],
  ['ÉCOLE', 'e\u0301cole'],
  ['Ключ', 'КЛЮЧ'],
])('the names %s and %s are one', async (name, other) => {
  const ada = await account();
  const device = await enrol(ada, `${created(name)}`);
  const its = { ...(await session(ada)), auth_time: runtime.now() / 1000 };
  await expect(enrol(await stored(ada), `${created(other)}`, its)).rejects.toMatchObject({
    code: 'passkey_exists',
  });
  const now = await stored(ada);
  expect(now.passkeys).toEqual({ [`${created(name)}`]: passkeyIdOf(device.id) });
  expect(await removePasskey(runtime, now, `${named(other)}`, by('admin'))).toEqual({
    username: ada.username,
    name: created(name),
  });
  expect((await stored(ada)).passkeys).toBeUndefined();
});

test.each([
  ['ısı', 'isi'],
  ['phone', 'phone 2'],
  ['café', 'cafe'],
])('the names %s and %s are two', async (name, other) => {
  const ada = await account();
  await enrol(ada, name);
  const its = { ...(await session(ada)), auth_time: runtime.now() / 1000 };
  await enrol(await stored(ada), other, its);
  expect(Object.keys((await stored(ada)).passkeys ?? {}).sort()).toEqual([name, other].sort());
});

test('of passkeys of an earlier version that differ in case, each is removed by its exact name only', async () => {
  const ada = await account();
  await enrol(ada, 'Phone');
  const { passkeys = {} } = await stored(ada);
  await setAttributes(table, ada, { passkeys: { ...passkeys, phone: 'other' } });
  await expect(removePasskey(runtime, await stored(ada), 'PHONE', by('admin'))).rejects.toMatchObject({
    code: 'passkey_not_found',
  });
  await removePasskey(runtime, await stored(ada), 'Phone', by('admin'));
  expect((await stored(ada)).passkeys).toEqual({ phone: 'other' });
});

test('of two new passkeys at once whose names differ in case, one is created', async () => {
  const ada = await account();
  await enrol(ada, 'key');
  const now = await stored(ada);
  const its = { ...(await session(ada)), auth_time: runtime.now() / 1000 };
  const create = async (name: string) => {
    const credential = newAuthenticator().create(await optionsFor('create', now, its), { origin: ORIGIN });
    return () => createPasskey(runtime, now, its, name, credential, by(ada.username));
  };
  const both = [await create('Büro'), await create('BÜRO')];
  const all = await Promise.allSettled(both.map((begin) => begin()));
  expect(all.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(all.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'passkey_exists' },
  });
  expect(Object.keys((await stored(ada)).passkeys ?? {})).toHaveLength(2);
});
