import { expect, test } from 'vitest';
import { newChallenge } from '#lib/passkey/challenge';
import { createPasskey } from '#lib/passkey/create';
import { removePasskey } from '#lib/passkey/delete';
import { inBase64url, passkeyIdOf, passkeysOf, shown } from '#lib/passkey/passkey';
import { CLOCK_SKEW_SECONDS, type VerifiedSession } from '#lib/session/session-token';
import { passkeyKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { type Authenticator, newAuthenticator } from '../../authenticator.ts';
import { DOWN } from '../../wire/dynamodb-proxy.ts';
import { OUTAGE } from '../auth/sessions.ts';
import { by, NOON, openTestTable } from '../support/engine.ts';
import { ORIGIN, openPasskeys } from './bench.ts';

const {
  table,
  wire,
  clock,
  runtime,
  account,
  stored,
  user,
  session,
  optionsFor,
  enrol,
  assert,
  authenticate,
} = await openPasskeys({ Events: 'user_cancel,user_reactivate,passkey_create,passkey_delete' });

const INVALID = { code: 'invalid_request' };
type Attested = ReturnType<Authenticator['create']>;

/** A session that the passkey of an account has confirmed. */
const confirmed = async ({ device }: Awaited<ReturnType<typeof user>>) =>
  (await authenticate((await assert(device)).data.JWTtoken)).session as VerifiedSession;

test('a passkey is stored with what its assertions need, and listed without its key', async () => {
  const ada = await account();
  const device = await enrol(ada, 'phone');
  const now = await stored(ada);
  expect(now.passkeys).toEqual({ phone: passkeyIdOf(device.id) });
  expect(now.transitions).toBeUndefined();
  const [passkey, ...others] = await passkeysOf(table, now);
  expect(others).toEqual([]);
  expect(passkey).toMatchObject({
    passkey_owner: ada.username,
    credential_id: device.id,
    public_key: expect.stringMatching(/^[\w-]{100,}$/),
    counter: 0,
  });
  expect(passkey && shown(passkey, 'id.example.com', now)).toEqual({
    name: 'phone',
    created_at: new Date(NOON).toISOString(),
    used_at: null,
    rp_id: 'id.example.com',
    usable: true,
    transports: ['internal', 'hybrid'],
    backup_eligible: true,
    backed_up: true,
    counter_fell_at: null,
  });
});

test.each([
  ['the password', false],
  ['a one-time code', true],
])('the first passkey needs a session of the last five minutes that began with %s', async (_, withCode) => {
  const ada = await account();
  const its = await session(ada, withCode);
  clock.time = NOON + 300_000;
  await enrol(ada, 'phone', its);
  const eve = await account();
  const old = { ...(await session(eve, withCode)), iat: clock.time / 1000 - 301 };
  for (const attempt of [optionsFor('create', eve, old), enrol(eve, 'phone', old)])
    await expect(attempt).rejects.toMatchObject({
      code: 'forbidden',
      errors: [{ field: 'session', message: expect.stringContaining('log in again') }],
    });
});

test.each([
  ['an API token', undefined],
  ['a session of an API token', { tid: 'secret', amr: ['token'] }],
  ['a session of an API token that says otherwise', { tid: 'secret', amr: ['pwd'] }],
  ['a session of an earlier version', { amr: undefined }],
])('%s creates no passkey', async (_, claims) => {
  const ada = await account();
  const its = claims && ({ ...(await session(ada)), ...claims } as VerifiedSession);
  const options = await optionsFor('create', ada, await session(ada));
  const [credential, wrong] = [{}, { challenge: 'x' }].map((answering) =>
    newAuthenticator().create(options, { origin: ORIGIN, ...answering }),
  ) as [Attested, Attested];
  wire.reset();
  await expect(optionsFor('create', ada, its)).rejects.toMatchObject({ code: 'forbidden' });
  for (const each of [credential, wrong])
    await expect(createPasskey(runtime, ada, its, 'phone', each, by(ada.username))).rejects.toMatchObject({
      code: 'forbidden',
    });
  expect(wire.commands).toEqual([]);
});

test('further passkeys need an assertion of the last five minutes', async () => {
  const ada = await user();
  const byPassword = await session(ada.account);
  const refused = { code: 'step_up_required', errors: [{ field: 'session' }] };
  for (const attempt of [
    optionsFor('create', ada.account, byPassword),
    enrol(ada.account, 'key', byPassword),
  ])
    await expect(attempt).rejects.toMatchObject(refused);
  const raised = await confirmed(ada);
  clock.time = NOON + 300_000;
  await enrol(ada.account, 'key', raised);
  clock.time = NOON + 301_000;
  await expect(enrol(await stored(ada.account), 'tablet', raised)).rejects.toMatchObject(refused);
  expect(Object.keys((await stored(ada.account)).passkeys ?? {}).sort()).toEqual(['key', 'phone']);
});

test.each([
  ['the login', 'forbidden', (seconds: number) => ({ iat: seconds })],
  ['the assertion', 'step_up_required', (seconds: number) => ({ auth_time: seconds })],
])('%s before a new passkey is no later than clocks differ', async (_, code, at) => {
  const of = code === 'forbidden' ? await account() : (await user()).account;
  const its = await session(of);
  const later = (seconds: number) => ({ ...its, ...at(NOON / 1000 + seconds) });
  await expect(optionsFor('create', of, later(CLOCK_SKEW_SECONDS + 1))).rejects.toMatchObject({ code });
  await optionsFor('create', of, later(CLOCK_SKEW_SECONDS));
});

test('a challenge creates one passkey', async () => {
  const ada = await account();
  const its = await session(ada);
  const options = await optionsFor('create', ada, its);
  const create = async (name: string) =>
    createPasskey(
      runtime,
      await stored(ada),
      { ...its, auth_time: NOON / 1000 },
      name,
      newAuthenticator().create(options, { origin: ORIGIN }),
      by(ada.username),
    );
  await create('phone');
  await expect(create('key')).rejects.toMatchObject(INVALID);
  expect(Object.keys((await stored(ada)).passkeys ?? {})).toEqual(['phone']);
});

test('a name, and a passkey, is given once', async () => {
  const ada = await user();
  const its = await confirmed(ada);
  const device = newAuthenticator();
  await expect(enrol(ada.account, 'phone', its)).rejects.toMatchObject({ code: 'passkey_exists' });
  await enrol(ada.account, 'key', its, device);
  await expect(enrol(await stored(ada.account), 'other', its, device)).rejects.toMatchObject({
    code: 'passkey_exists',
  });
  const eve = await account();
  await expect(enrol(eve, 'phone', undefined, device)).rejects.toMatchObject({ code: 'passkey_exists' });
  expect((await stored(eve)).passkeys).toBeUndefined();
});

test('an account has ten passkeys at most', async () => {
  const ada = await user();
  const its = await confirmed(ada);
  for (let n = 2; n <= 10; n++) await enrol(await stored(ada.account), `key-${n}`, its);
  await expect(enrol(await stored(ada.account), 'key-11', its)).rejects.toMatchObject({
    code: 'passkey_limit',
  });
});

test.each([
  ['a page of another origin', { origin: 'https://phishing.example' }],
  ['a page in a frame of another origin', { crossOrigin: true }],
  ['another domain', { rpId: 'phishing.example' }],
  ['an algorithm that was not offered', { algorithm: -35 }],
  ['a device that has not verified its user', { isVerified: false }],
  ['the answer to another ceremony', { type: 'webauthn.get' }],
  ['a challenge that the service has not made', { challenge: 'Zm9yZ2Vk' }],
  ['an attestation with certificates', { attestation: { fmt: 'packed', statement: new Map([['x5c', []]]) } }],
  ['an attestation by a vendor', { attestation: { fmt: 'apple', statement: new Map() } }],
])('a new passkey is refused by reason of %s, and nothing is written', async (_, answering) => {
  const ada = await account();
  const its = await session(ada);
  await optionsFor('create', ada, its);
  wire.reset();
  await expect(enrol(ada, 'phone', its, newAuthenticator(), answering)).rejects.toMatchObject({
    ...INVALID,
    errors: [
      {
        field: 'credential',
        message: expect.stringMatching('attestation' in answering ? /^Must have/ : /./),
      },
    ],
  });
  expect(wire.commands).toEqual([]);
});

// The SDK looks at the member `constructor` of what it stores.
test.each(['constructor', 'toString'])('a passkey may have the name %s', async (name) => {
  const ada = await account();
  const missing = { code: 'passkey_not_found' };
  await expect(removePasskey(runtime, ada, name, by('ada'))).rejects.toMatchObject(missing);
  const device = await enrol(ada, name);
  const now = await stored(ada);
  expect(now.passkeys).toEqual({ [name]: passkeyIdOf(device.id) });
  await assert(device);
  await removePasskey(runtime, now, name, by('ada'));
  await expect(removePasskey(runtime, now, name, by('ada'))).rejects.toMatchObject(missing);
});

test('the ID of a new passkey has at most 1023 bytes', async () => {
  const ada = await account();
  await expect(
    enrol(ada, 'phone', undefined, newAuthenticator(new Uint8Array(1024).fill(7))),
  ).rejects.toMatchObject({
    ...INVALID,
    errors: [{ message: 'Must have an ID of at most 1023 bytes' }],
  });
  await enrol(ada, 'phone', undefined, newAuthenticator(new Uint8Array(1023).fill(7)));
});

test('a new passkey is refused for a challenge of another account, of none, or for an assertion', async () => {
  const [ada, eve] = [await account(), await account()];
  const own = await optionsFor('create', ada, await session(ada));
  const others = await optionsFor('create', eve, await session(eve));
  const nobodys = { challenge: inBase64url(await newChallenge(runtime, 'create')) };
  for (const { challenge } of [others, nobodys, await optionsFor('assert', ada)]) {
    const credential = newAuthenticator().create({ ...own, challenge }, { origin: ORIGIN });
    await expect(
      createPasskey(runtime, ada, await session(ada), 'phone', credential, by(ada.username)),
    ).rejects.toMatchObject(INVALID);
  }
});

test('an outage is no fault of a new passkey', async () => {
  const ada = await account();
  const its = await session(ada);
  const credential = newAuthenticator().create(await optionsFor('create', ada, its), { origin: ORIGIN });
  // Nothing has read its secret yet.
  const down = await openTestTable();
  down.wire.script(() => DOWN);
  const own = { ...runtime, table: down.table };
  await expect(createPasskey(own, ada, its, 'phone', credential, by('ada'))).rejects.toMatchObject(OUTAGE);
});

test('a removed passkey leaves nothing, counts a transition, and can be created again', async () => {
  const ada = await user();
  const id = passkeyIdOf(ada.device.id);
  expect(await removePasskey(runtime, ada.account, 'phone', by('admin'))).toEqual({
    username: ada.account.username,
    name: 'phone',
  });
  const now = await stored(ada.account);
  expect(now.passkeys).toBeUndefined();
  expect(now).toMatchObject({ transitions: 1, stamp: ada.account.stamp });
  expect(await get(table, passkeyKey(id))).toBeUndefined();
  await enrol(now, 'phone', undefined, ada.device);
  await expect(removePasskey(runtime, now, 'none', by('admin'))).rejects.toMatchObject({
    code: 'passkey_not_found',
  });
});

test('what stays of a passkey whose item could not be removed is empty', async () => {
  const ada = await user();
  const id = passkeyIdOf(ada.device.id);
  wire.script((operation) => (operation === 'DeleteItem' ? DOWN : undefined));
  await removePasskey(runtime, ada.account, 'phone', by('admin'));
  expect(await get(table, passkeyKey(id))).toEqual({ ...passkeyKey(id), ttl: NOON / 1000 });
  wire.script(() => undefined);
  await enrol(await stored(ada.account), 'phone', undefined, ada.device);
  expect(await get(table, passkeyKey(id))).not.toHaveProperty('ttl');
});

test('the removal as a remedy ends all sessions, and the codes that the account has made', async () => {
  const ada = await user();
  await removePasskey(runtime, ada.account, 'phone', by('operator'), { isRemedy: true });
  const now = await stored(ada.account);
  expect(now).toMatchObject({ code_generation: expect.any(Number), transitions: 1 });
  expect(now.stamp).not.toBe(ada.account.stamp);
});

test.each([{ access: 'read' as const }, { roles: [] }, { addresses: ['192.0.2.1'] }])(
  'a credential with the limits %o removes no passkey',
  async (limits) => {
    const ada = await user();
    wire.reset();
    await expect(removePasskey(runtime, ada.account, 'phone', by('ada'), { limits })).rejects.toMatchObject({
      code: 'forbidden',
    });
    expect(wire.commands).toEqual([]);
  },
);
