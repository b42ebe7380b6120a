import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { listSessions } from '#lib/account/sessions';
import type { Account } from '#lib/item/account';
import { createPasskey } from '#lib/passkey/create';
import { removePasskey } from '#lib/passkey/delete';
import { passkeyIdOf } from '#lib/passkey/passkey';
import { AMR, signSession } from '#lib/session/session-token';
import { sessionKey } from '#lib/table/keys';
import { put } from '#lib/table/write';
import { newAuthenticator } from '../../authenticator.ts';
import { by, NOON } from '../support/engine.ts';
import { setAttributes } from '../support/set-attributes.ts';
import { ORIGIN, openPasskeys } from './bench.ts';

const {
  table,
  clock,
  runtime,
  stored,
  user,
  session,
  optionsFor,
  enrol,
  assert,
  authenticate,
  key,
  account,
} = await openPasskeys();

const REMOVED = { code: 'unauthenticated', cause: 'passkey_removed' };
const asEarlier = (of: Account) => setAttributes(table, of, { enrolments: undefined } as never);

/** A session of a passkey that an earlier version has opened and recorded: it belongs to the ID of the passkey. */
async function earlierSession({ id: sub, username: name, stamp: sst }: Account, credential: string) {
  const pid = passkeyIdOf(credential);
  const jti = runtime.uuid();
  const iat = Math.floor(clock.time / 1000);
  const record = { created_at: new Date(clock.time).toISOString(), address: '192.0.2.1', user_agent: null };
  await put(table, sessionKey(name, jti), {
    ...record,
    ...{ credential: 'passkey:phone', passkey: pid, stamp: sst, ttl: iat + 3600 },
  });
  const claims = { sub, name, sst, amr: AMR.passkey, auth_time: iat, pid };
  return signSession(runtime, key, claims, iat, 3600, jti);
}

/** Removes the passkey of an account and enrols its device again, by the same name. */
async function enrolAgain({ account: ada, device }: Awaited<ReturnType<typeof user>>) {
  const now = await stored(ada);
  await removePasskey(runtime, now, 'phone', by('ada'));
  await enrol(await stored(ada), 'phone', await session(now), device);
}

test('a passkey that is enrolled again does not revive the sessions that it had opened', async () => {
  const ada = await user();
  const { JWTtoken } = (await assert(ada.device)).data;
  expect((await authenticate(JWTtoken)).caller.username).toBe(ada.account.username);
  const before = await listSessions(runtime, await stored(ada.account));
  expect(before.items.map(({ credential }) => credential)).toContain('passkey:phone');
  await enrolAgain(ada);
  await expect(authenticate(JWTtoken)).rejects.toMatchObject(REMOVED);
  const after = await listSessions(runtime, await stored(ada.account));
  expect(after.items.map(({ credential }) => credential)).not.toContain('passkey:phone');
  // Its own sessions work.
  await authenticate((await assert(ada.device)).data.JWTtoken);
});

test('a session of an earlier version works until its passkey is removed, and not when it is enrolled again', async () => {
  const ada = await user();
  const earlier = await asEarlier(ada.account);
  const old = await earlierSession(earlier, ada.device.id);
  const asserted = (await assert(ada.device)).data.JWTtoken;
  expect(decodeJwt(asserted)['pid']).toBe(passkeyIdOf(ada.device.id));
  for (const jwt of [old, asserted]) await authenticate(jwt);
  await enrolAgain({ ...ada, account: earlier });
  for (const jwt of [old, asserted]) await expect(authenticate(jwt)).rejects.toMatchObject(REMOVED);
  const { items } = await listSessions(runtime, await stored(ada.account));
  expect(items.filter(({ credential }) => credential !== null)).toEqual([]);
});

test('the enrolment of a removed passkey leaves the account, those of others stay', async () => {
  const ada = await user();
  const raised = { ...(await session(ada.account)), auth_time: NOON / 1000 };
  const device = await enrol(ada.account, 'key', raised);
  const id = passkeyIdOf(device.id);
  const before = await stored(ada.account);
  expect(Object.keys(before.enrolments ?? {}).sort()).toEqual([passkeyIdOf(ada.device.id), id].sort());
  await removePasskey(runtime, before, 'phone', by('ada'));
  const { enrolments } = await stored(ada.account);
  expect(enrolments).toEqual({ [id]: before.enrolments?.[id] });
  await removePasskey(runtime, await stored(ada.account), 'key', by('ada'));
  expect(await stored(ada.account)).not.toHaveProperty('enrolments');
});

test('a new enrolment drops those that an earlier version has left', async () => {
  const ada = await account();
  const left = { gone: { id: 'gone', rp_id: 'id.example.com', created_at: 'then' } };
  const given = await setAttributes(table, ada, { enrolments: left });
  const options = await optionsFor('create', given, await session(given));
  const device = newAuthenticator();
  const credential = device.create(options, { origin: ORIGIN });
  await createPasskey(runtime, given, await session(given), 'phone', credential, by('ada'));
  expect((await stored(ada)).enrolments).toEqual({
    [passkeyIdOf(device.id)]: {
      id: expect.any(String),
      rp_id: 'id.example.com',
      created_at: new Date(NOON).toISOString(),
    },
  });
});
