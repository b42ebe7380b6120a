import { expect } from 'vitest';
import { createAccount } from '#lib/account/create';
import type { Account } from '#lib/item/account';
import { contracts } from '#lib/routes';
import { assign } from '#lib/table/expressions';
import { accountKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { update } from '#lib/table/write';
import { withoutZone } from '#lib/time';
import type { Target } from '../../infra/admin/target.ts';
import { newAuthenticator } from '../authenticator.ts';
import { storedPasskey } from '../unit/support/items.ts';
import { EVERY_ROLE } from './every-role.ts';
import { requestOf, samplesOf } from './requests.ts';
import { type Call, call, noted } from './service.ts';

/**
 * Creates passkeys by each kind of session, also while more sessions of the account have ended than it lists, asserts one after
 * each kind of pause, and another one with a counter that falls.
 *
 * @returns a further assertion
 */
export async function usePasskeys({ runtime }: Target, base: string, password: string) {
  const { table } = runtime;
  const username = 'keyed';
  await createAccount(runtime, { username, password });
  const set = (to: object) => update(table, { Key: accountKey(username), ...assign(to, {}) });
  const origin = base.replace('127.0.0.1', 'localhost');
  const post = (path: string, json: object, jwt?: string) =>
    call('POST', `/api/core/account/${path}`, { base, json, ...(jwt && { jwt }) });
  const ask = async (purpose: string, jwt?: string) =>
    (await post('passkey/options', { purpose }, jwt)).body.data.options;
  const device = newAuthenticator();
  const assertAgain = async () =>
    post('passkey/assert', { credential: device.get(await ask('assert'), { origin }) });
  const create = async (name: string, jwt: string, own = newAuthenticator()) => {
    const credential = own.create(await ask('create', jwt), { origin });
    const reply = await post(`passkey/create/${name}`, { credential }, jwt);
    expect(reply.status, reply.text).toBe(200);
  };

  const first = noted((await post('login', { username, password })).body.data.JWTtoken as string);
  await create('first', first, device);
  const raised = noted((await assertAgain()).body.data.JWTtoken as string);
  await set({ ended_until: Math.ceil(Date.now() / 1000) + 3600 });
  const second = newAuthenticator();
  await create('second', raised, second);
  await call('GET', '/api/core/account/export', { base, jwt: raised });
  // Within the day, and the first use of all on another one.
  for (const ms of [61_000, 3 * 86_400_000]) {
    await set({ lastActivity: withoutZone(Date.now() - ms), never_used: ms > 61_000 });
    const reply = await assertAgain();
    expect(reply.status, reply.text).toBe(200);
    noted(reply.body.data.JWTtoken as string);
  }
  // A counter that falls is noted at the account.
  const statuses: unknown[] = [];
  for (const counter of [1, 0]) {
    const credential = second.get(await ask('assert'), { origin, counter });
    statuses.push((await post('passkey/assert', { credential })).status);
  }
  expect(statuses).toEqual([200, 401]);
  return assertAgain;
}

/** An account with a password and a passkey. */
async function keyed({ runtime }: Target, username: string, given: object = {}): Promise<Account> {
  const account = await createAccount(runtime, { username, ...given });
  await storedPasskey(runtime.table, account, newAuthenticator());
  return account;
}

/**
 * Sends each request that needs the step-up, about another account, in a session of a password. The account has a passkey of an
 * earlier version, whose domain is read before the refusal.
 */
export async function refuseEarlier(target: Target, base: string, password: string, about: string) {
  const { table } = target.runtime;
  const { username } = await keyed(target, 'earlier', { password, roles: [...EVERY_ROLE] });
  await update(table, { Key: accountKey(username), ...assign({ enrolments: undefined }, {}) });
  const login = { base, json: { username, password } };
  const jwt = noted((await call('POST', '/api/core/account/login', login)).body.data.JWTtoken as string);
  for (const { id } of contracts.filter(({ stepUp }) => stepUp)) {
    const codes: unknown[] = [];
    for (const sample of samplesOf(id)) {
      const [method, path, content] = requestOf(id, { username: about, source: username }, sample);
      codes.push((await call(method, path, { base, jwt, ...content })).code);
    }
    expect(codes, id).toContain('step_up_required');
  }
}

/** Ends the passkeys of accounts by a one-time code that says so, by a reactivation, and by the end of a person as one. */
export async function endPasskeys(target: Target, admin: Call, new_password: string) {
  const post = async (path: string, request: Call) => {
    const reply = await call('POST', `/api/core/account/${path}`, request);
    expect(reply.status, reply.text).toBe(200);
    return reply.body.data;
  };
  const json = { end_passkeys: true };
  const { username } = await keyed(target, 'owner-of-a-code');
  const { code } = await post(`code/${username}`, { ...admin, json });
  const used = { username, code: noted(code as string), new_password };
  await post('password', { base: admin.base as string, json: used });
  const cancelled = await keyed(target, 'owner-who-was-cancelled');
  await post(`cancel/${cancelled.username}`, admin);
  await post(`reactivate/${cancelled.username}`, { ...admin, json });
  const turned = await keyed(target, 'owner-who-became-a-machine', { password: new_password });
  await post(`access/${turned.username}`, { ...admin, json: { kind: 'machine', owner: username } });
  const machine = { username: 'machine-of-the-grants', kind: 'machine', owner: username };
  await post('create', { ...admin, json: machine });
  for (const one of [username, cancelled.username, turned.username])
    expect((await get(target.runtime.table, accountKey(one)))?.passkeys).toBeUndefined();
}
