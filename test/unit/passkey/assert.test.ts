import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { cancelAccount } from '#lib/account/lifecycle/cancel';
import { reactivateAccount } from '#lib/account/lifecycle/reactivate';
import { listSessions } from '#lib/account/sessions';
import { blockAddress } from '#lib/login/blocks';
import { lockForATime } from '#lib/login/lockout';
import { removePasskey } from '#lib/passkey/delete';
import { setPassword } from '#lib/password/set-password';
import { passkeyAttemptsFromAddressKey, passkeyKey, spentKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { put } from '#lib/table/write';
import { withoutZone } from '#lib/time';
import { newAuthenticator } from '../../authenticator.ts';
import { DOWN, roundTrips } from '../../wire/dynamodb-proxy.ts';
import { attempts } from '../login/bench.ts';
import { by, NOON } from '../support/engine.ts';
import { gatewayEvent } from '../support/gateway-event.ts';
import { setAttributes } from '../support/set-attributes.ts';
import { INVALID, ORIGIN, openPasskeys } from './bench.ts';

const it = await openPasskeys();
const { table, wire, clock, runtime, stored, user, assert, authenticate, optionsFor, send } = it;

const passkeyOf = async (account: { username: string }) => {
  const [id = ''] = Object.values((await stored(account)).passkeys ?? {});
  return get(table, passkeyKey(id));
};

test('an assertion answers a session of level 2, and is recorded with its passkey', async () => {
  const { account, device } = await user();
  const { data, login } = await assert(device);
  expect(data.username).toBe(account.username);
  const claims = decodeJwt(data.JWTtoken);
  expect(claims).toMatchObject({ amr: ['pop', 'user', 'mfa'], auth_time: NOON / 1000, sub: account.id });
  expect(Object.values(account.enrolments ?? {}).map(({ id }) => id)).toEqual([claims['pid']]);
  expect(login).toEqual({ credential: 'passkey:phone', session: claims.jti });
  expect((await authenticate(data.JWTtoken)).caller.id).toBe(account.id);
  const { items } = await listSessions(runtime, await stored(account));
  expect(items.find(({ id }) => id === claims.jti)).toMatchObject({ credential: 'passkey:phone' });
  expect(await passkeyOf(account)).toMatchObject({ passkey_used_at: new Date(NOON).toISOString() });
});

test('an assertion sets a cookie only where it was asked for', async () => {
  const { device } = await user();
  const credential = device.get(await optionsFor('assert'), { origin: ORIGIN });
  const { data, cookies } = await it.sendWith({ credential, createCookie: true });
  expect(cookies).toEqual([expect.stringContaining(`ptoken=${data.JWTtoken}; Path=/; HttpOnly; Secure`)]);
  expect((await assert(device)).cookies).toEqual([]);
});

test('an assertion of a caller needs no user handle, since its challenge names the account', async () => {
  const { account, device } = await user();
  expect((await assert(device, { userHandle: null }, account)).data.username).toBe(account.username);
});

test.each([
  'http://id.example.com',
  'https://id.example.com:8443',
  'https://app.id.example.com',
  'https://example.com',
  'https://id.example.com.evil.example',
  'https://id.example.com/',
  'null',
])('an assertion and a new passkey are refused from the origin %s', async (origin) => {
  const { device } = await user();
  await expect(assert(device, { origin })).rejects.toMatchObject({ ...INVALID, cause: 'wrong_origin' });
  const created = it.enrol(await it.account(), 'phone', undefined, newAuthenticator(), { origin });
  await expect(created).rejects.toMatchObject({ code: 'invalid_request' });
});

test('an assertion is a use of its account', async () => {
  const { account, device } = await user();
  clock.time = NOON + 120_000;
  await assert(device);
  expect((await stored(account)).lastActivity).toBe(withoutZone(clock.time));
});

test('an assertion takes at most two round trips more than a login', async () => {
  const { device } = await user();
  await assert(device);
  const credential = device.get(await optionsFor('assert'), { origin: ORIGIN });
  wire.reset();
  await send(credential);
  expect(roundTrips(wire.commands)).toBeLessThanOrEqual(3 + 2);
});

test('of two assertions of one challenge at the same time, one opens a session', async () => {
  const { account, device } = await user();
  const credential = device.get(await optionsFor('assert'), { origin: ORIGIN });
  const all = await Promise.allSettled([send(credential), send(credential), send(credential)]);
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const one of all)
    if (one.status === 'rejected')
      expect(one.reason).toMatchObject({ ...INVALID, cause: 'challenge_spent', about: account.username });
});

test('a spent challenge is kept until after it has expired', async () => {
  const { device } = await user();
  const credential = device.get(await optionsFor('assert'), { origin: ORIGIN });
  await send(credential);
  const { challenge } = JSON.parse(
    Buffer.from(credential.response.clientDataJSON, 'base64url').toString(),
  ) as { challenge: string };
  const { jti = '', exp = 0 } = decodeJwt(Buffer.from(challenge, 'base64url').toString());
  expect(exp).toBe(NOON / 1000 + 300);
  expect(await get(table, spentKey(jti))).toMatchObject({ ttl: exp + 60 });
});

test('a refused assertion spends no challenge', async () => {
  const { device } = await user();
  const options = await optionsFor('assert');
  const refused = device.get(options, { origin: ORIGIN, isVerified: false });
  await expect(send(refused)).rejects.toMatchObject(INVALID);
  await expect(send(device.get(options, { origin: ORIGIN }))).resolves.toBeDefined();
});

test('the counter of a passkey only rises, unless the device has none', async () => {
  const { account, device } = await user({}, { counter: 5 });
  await assert(device, { counter: 9 });
  expect(await passkeyOf(account)).toMatchObject({ counter: 9, backed_up: false });
  for (const counter of [0, 8, 9])
    await expect(assert(device, { counter })).rejects.toMatchObject({ cause: 'passkey_cloned' });
  await expect(assert(device, { counter: 10 })).resolves.toBeDefined();
  const other = await user();
  for (const counter of [0, 0]) await assert(other.device, { counter });
});

test('of a device and its copy at the same time, one opens a session', async () => {
  const { device } = await user({}, { counter: 1 });
  const all = await Promise.allSettled([assert(device, { counter: 2 }), assert(device, { counter: 2 })]);
  expect(all.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('an assertion is refused at the very end of its challenge, and not before', async () => {
  const { device } = await user();
  const early = device.get(await optionsFor('assert'), { origin: ORIGIN });
  clock.time = NOON + 299_999;
  await expect(send(early)).resolves.toBeDefined();
  clock.time = NOON;
  const late = device.get(await optionsFor('assert'), { origin: ORIGIN });
  clock.time = NOON + 300_000;
  await expect(send(late)).rejects.toMatchObject({ cause: 'challenge_expired' });
});

test('a session of a passkey ends at its removal, and others stay', async () => {
  const { account, device } = await user();
  const { data } = await assert(device);
  const other = await it.passwordSession(account);
  const { jti } = decodeJwt(data.JWTtoken);
  await removePasskey(runtime, await stored(account), 'phone', by('admin'));
  await expect(authenticate(data.JWTtoken)).rejects.toMatchObject({ cause: 'passkey_removed' });
  await expect(authenticate(other)).resolves.toBeDefined();
  const { items } = await listSessions(runtime, await stored(account));
  expect(items.map(({ id }) => id)).not.toContain(jti);
  // Another one with its name does not revive them.
  await it.enrol(await stored(account));
  await expect(authenticate(data.JWTtoken)).rejects.toMatchObject({ cause: 'passkey_removed' });
});

test('a passkey survives a new password, which ends its sessions', async () => {
  const { account, device } = await user();
  const { data } = await assert(device);
  await setPassword(runtime, await stored(account), 'battery staple');
  await expect(authenticate(data.JWTtoken)).rejects.toMatchObject({ cause: 'stamp_changed' });
  await expect(assert(device)).resolves.toBeDefined();
});

test('the passkeys of a cancelled account are refused, and live again with it', async () => {
  const { account, device } = await user();
  await cancelAccount(runtime, account, by('admin'));
  await expect(assert(device)).rejects.toMatchObject({ ...INVALID, cause: 'account_cancelled' });
  await reactivateAccount(runtime, await stored(account), by('admin'), {});
  await expect(assert(device)).resolves.toBeDefined();
});

test('a temporary lockout of the username does not stop a passkey', async () => {
  const { account, device } = await user();
  await lockForATime(runtime, account.username, account, 0);
  expect((await stored(account)).lockoutend).toBeDefined();
  await expect(assert(device)).resolves.toBeDefined();
});

test('a passkey of another account with the same username is refused', async () => {
  const { account, device } = await user();
  await setAttributes(table, account, { id: 'another', passkeys: undefined });
  await expect(assert(device)).rejects.toMatchObject({ ...INVALID, cause: 'passkey_removed' });
});

test('failures are limited by the address, across all passkeys, and apart from those of passwords', async () => {
  const { account, device } = await user();
  const source = '198.51.100.7';
  const options = await optionsFor('assert');
  const wrong = device.get(options, { origin: 'https://phishing.example' });
  await put(table, passkeyAttemptsFromAddressKey(source), { attempts: attempts(48), revision: 1 });
  for (let n = 0; n < 2; n++) await expect(send(wrong, source)).rejects.toMatchObject(INVALID);
  wire.reset();
  const good = device.get(options, { origin: ORIGIN });
  const refused = { code: 'too_many_requests', retryAfter: 899, about: account.username };
  await expect(send(good, source)).rejects.toMatchObject(refused);
  expect(it.operations().filter((name) => !/Get/.test(name))).toEqual([]);
  await expect(send(good, '198.51.100.8')).resolves.toBeDefined();
  clock.time = NOON + 900_000;
  await expect(assert(device)).resolves.toBeDefined();
});

test('an assertion from a blocked address is refused without a write, and one from another address is not', async () => {
  const { account, device } = await user();
  const source = '198.51.100.30';
  await blockAddress(runtime, source, NOON + 60_000, by('operator'));
  const good = device.get(await optionsFor('assert'), { origin: ORIGIN });
  wire.reset();
  await expect(send(good, source)).rejects.toMatchObject({
    ...{ code: 'too_many_requests', retryAfter: 60, cause: 'address_blocked', about: account.username },
  });
  expect(it.operations().filter((name) => !/Get/.test(name))).toEqual([]);
  await expect(send(good, '198.51.100.31')).resolves.toBeDefined();
  clock.time = NOON + 60_000;
  await expect(
    send(device.get(await optionsFor('assert'), { origin: ORIGIN }), source),
  ).resolves.toBeDefined();
});

test('a success leaves no attempt, and an outage no failure', async () => {
  const { device } = await user();
  const source = '198.51.100.20';
  const options = await optionsFor('assert');
  const credential = device.get(options, { origin: ORIGIN });
  wire.script((operation) => (operation === 'TransactWriteItems' ? DOWN : undefined));
  await expect(send(credential, source)).rejects.toThrow();
  wire.script(() => undefined);
  await send(device.get(await optionsFor('assert'), { origin: ORIGIN }), source);
  expect(await get(table, passkeyAttemptsFromAddressKey(source))).toMatchObject({ attempts: [] });
});

test('a missing key costs no attempt', async () => {
  const { device } = await user();
  const credential = device.get(await optionsFor('assert'), { origin: ORIGIN });
  wire.reset();
  const signingKey = async () => {
    throw new Error('no key');
  };
  await expect(
    it.assertPasskey({ ...runtime, signingKey }, { credential }, gatewayEvent()),
  ).rejects.toThrow();
  expect(it.operations()).toEqual([]);
});
