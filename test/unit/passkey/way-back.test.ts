import { expect, test } from 'vitest';
import { createCode } from '#lib/account/create-code';
import { cancelAccount } from '#lib/account/lifecycle/cancel';
import { reactivateAccount } from '#lib/account/lifecycle/reactivate';
import type { Account } from '#lib/item/account';
import { changePassword } from '#lib/login/change-password';
import { openSession } from '#lib/login/open-session';
import { removePasskey } from '#lib/passkey/delete';
import { passkeyIdOf } from '#lib/passkey/passkey';
import { accountKey, passkeyKey, wholeOutbox } from '#lib/table/keys';
import { get, query } from '#lib/table/read';
import { DOWN } from '../../wire/dynamodb-proxy.ts';
import { by, NOON } from '../support/engine.ts';
import { gatewayEvent } from '../support/gateway-event.ts';
import { logLines } from '../support/log-lines.ts';
import { setAttributes } from '../support/set-attributes.ts';
import { INVALID, openPasskeys } from './bench.ts';

logLines();
const bench = await openPasskeys({ Events: 'user_cancel,passkey_delete,password_change' });
const { table, wire, runtime, signing, key, stored, user, session, enrol, assert, authenticate } = bench;

const ADMIN = by('admin');
const NEW = 'battery staple';
const END = { end_passkeys: true };
/** Events stay in the table. */
const silent = { ...runtime, publish: async () => Promise.reject(new Error('down')) };

const codeFor = async (of: Account, more: object = END) =>
  (await createCode(runtime, await stored(of), ADMIN, {}, more)).code;
const redeem = ({ username }: Account, code: string, own = { ...signing, publish: silent.publish }) =>
  changePassword(own, undefined, undefined, { username, code, new_password: NEW }, gatewayEvent());

/** The names and sequence numbers of the events that passkeys of an account have ended. */
async function removalsOf({ username }: Account) {
  const waiting = (await query(table, wholeOutbox)) as unknown as Record<string, string>[];
  return waiting
    .flatMap(({ passkey_delete }) => (passkey_delete ? [JSON.parse(passkey_delete)] : []))
    .filter((detail) => detail.username === username)
    .map(({ passkey_name, passkey_deleted_by, sequence }) => ({ passkey_name, passkey_deleted_by, sequence }))
    .sort((one, other) => one.sequence - other.sequence);
}

/** An account with a passkey of a thief, and another one that the thief has enrolled with it. */
async function robbed() {
  const { account: ada, device } = await user();
  const raised = { ...(await session(ada)), auth_time: NOON / 1000 };
  const second = await enrol(ada, 'second', raised);
  const { JWTtoken } = (await assert(device)).data;
  return { ada: await stored(ada), devices: [device, second], JWTtoken };
}

const isRedemption = (operation: string, sent: unknown) =>
  operation === 'TransactWriteItems' && JSON.stringify(sent).includes('PASSWORD#');

/** Nothing of the thief works, and nothing of its passkeys is left. */
async function expectEvicted({ ada, devices, JWTtoken }: Awaited<ReturnType<typeof robbed>>) {
  for (const device of devices) {
    await expect(assert(device)).rejects.toMatchObject(INVALID);
    expect(await get(table, passkeyKey(passkeyIdOf(device.id)))).toBeUndefined();
  }
  await expect(authenticate(JWTtoken)).rejects.toMatchObject({ code: 'unauthenticated' });
  const now = await stored(ada);
  expect(now).not.toHaveProperty('passkeys');
  expect(now).not.toHaveProperty('enrolments');
  expect(now.transitions).toBeGreaterThan(ada.transitions ?? 0);
}

test('the use of a code that ends passkeys evicts a thief, with an event for each passkey', async () => {
  const thief = await robbed();
  const { ada } = thief;
  const answer = await redeem(ada, await codeFor(ada));
  expect(answer.data).toMatchObject({ newest_passkey: null });
  expect(answer.details).toEqual({ proof: 'code', passkeys_ended: 2 });
  await expectEvicted(thief);
  const deletion = { passkey_deleted_by: ada.username };
  expect((await removalsOf(ada)).map(({ passkey_name }) => passkey_name).sort()).toEqual(['phone', 'second']);
  expect(await removalsOf(ada)).toMatchObject([
    { ...deletion, sequence: 1 },
    { ...deletion, sequence: 2 },
  ]);
  // The owner enrols a first one at once.
  await enrol(await stored(ada), 'phone', (await authenticate(answer.data.JWTtoken)).session);
});

test('the use of any other code keeps the passkeys, also after a code that would have ended them', async () => {
  const { account: ada, device } = await user();
  await codeFor(ada);
  const answer = await redeem(ada, await codeFor(ada, {}));
  expect(answer.details).toEqual({ proof: 'code' });
  expect(answer.data).toMatchObject({
    newest_passkey: { name: 'phone', created_at: new Date(NOON).toISOString() },
  });
  await assert(device);
});

test('a code that ends passkeys works for an account without one', async () => {
  const ada = await bench.account();
  expect((await redeem(ada, await codeFor(ada))).details).toEqual({ proof: 'code', passkeys_ended: 0 });
});

test('a thief who creates and removes passkeys meanwhile does not keep a code from ending them', async () => {
  const thief = await robbed();
  const { ada } = thief;
  const code = await codeFor(ada);
  let turns = 0;
  const meddle = () =>
    wire.before(isRedemption, async () => {
      turns++;
      if (turns < 3) meddle();
      await removePasskey(
        runtime,
        await stored(ada),
        turns === 1 ? 'second' : `more-${turns - 1}`,
        by('thief'),
      );
      const raised = { ...(await session(ada)), auth_time: NOON / 1000 };
      thief.devices.push(await enrol(await stored(ada), `more-${turns}`, raised));
    });
  meddle();
  const { details } = await redeem(ada, code);
  expect(turns).toBe(3);
  expect(details).toEqual({ proof: 'code', passkeys_ended: 2 });
  await expectEvicted(thief);
});

test('what could not be removed of the ended passkeys ends by itself, and opens nothing', async () => {
  const { account: ada, device } = await user();
  const code = await codeFor(ada);
  wire.script((operation) => (operation === 'DeleteItem' ? DOWN : undefined));
  await redeem(ada, code);
  wire.script(() => undefined);
  expect(await get(table, passkeyKey(passkeyIdOf(device.id)))).toMatchObject({ ttl: NOON / 1000 });
  await expect(assert(device)).rejects.toMatchObject(INVALID);
});

test('a code that has expired ends no passkey', async () => {
  const { account: ada, device } = await user();
  const code = await codeFor(ada);
  const later = { ...signing, publish: silent.publish, now: () => NOON + 25 * 3_600_000 };
  await expect(redeem(ada, code, later)).rejects.toMatchObject(INVALID);
  await assert(device);
});

test('a reactivation that ends passkeys evicts a thief, and answers how many', async () => {
  const thief = await robbed();
  await cancelAccount(silent, thief.ada, ADMIN);
  const answer = await reactivateAccount(silent, await stored(thief.ada), ADMIN, END);
  expect(answer).toMatchObject({ changed: true, passkeys_ended: 2, tokens_revoked: 0 });
  await expectEvicted(thief);
  expect(await removalsOf(thief.ada)).toMatchObject([
    { passkey_deleted_by: 'admin', sequence: 1 },
    { passkey_deleted_by: 'admin', sequence: 2 },
  ]);
});

test('a reactivation without it revives the passkeys, and one of an active account ends none', async () => {
  const { account: ada, device } = await user();
  expect(await reactivateAccount(silent, ada, ADMIN, END)).toMatchObject({
    changed: false,
    passkeys_ended: 0,
  });
  await assert(device);
  await cancelAccount(silent, await stored(ada), ADMIN);
  await expect(assert(device)).rejects.toMatchObject(INVALID);
  expect(await reactivateAccount(silent, await stored(ada), ADMIN)).toMatchObject({ passkeys_ended: 0 });
  await assert(device);
});

test.each([{ access: 'read' as const }, { roles: [] }, { addresses: ['192.0.2.1'] }])(
  'a credential with the limits %o reactivates, and ends no passkey',
  async (limits) => {
    const { account: ada } = await user();
    await cancelAccount(silent, ada, ADMIN);
    const cancelled = await stored(ada);
    await expect(reactivateAccount(silent, cancelled, ADMIN, END, limits)).rejects.toMatchObject({
      code: 'forbidden',
    });
    await reactivateAccount(silent, cancelled, ADMIN, {}, limits);
  },
);

test('a login answers the passkey that was created last, without a read', async () => {
  const { account: ada } = await user();
  const login = async (of: Account) => (await openSession(runtime, key, of, gatewayEvent(), {})).data;
  bench.clock.time = NOON + 60_000;
  await enrol(ada, 'foreign', { ...(await session(ada)), auth_time: bench.clock.time / 1000 });
  const now = await stored(ada);
  wire.reset();
  expect(await login(now)).toMatchObject({
    newest_passkey: { name: 'foreign', created_at: new Date(NOON + 60_000).toISOString() },
  });
  expect(wire.commands.filter(({ operation }) => /Get|Query/.test(operation))).toEqual([]);
  const earlier = await setAttributes(table, now, { enrolments: undefined } as never);
  expect(await login(earlier)).toMatchObject({ newest_passkey: null });
  expect(await login(await bench.account())).toMatchObject({ newest_passkey: null });
  expect(await get(table, accountKey(ada.username))).toHaveProperty('passkeys');
});

test('an assertion answers it too', async () => {
  const { device } = await user();
  expect((await assert(device)).data.newest_passkey).toMatchObject({ name: 'phone' });
});
