import { expect } from 'vitest';
import { createAccount } from '#lib/account/create';
import { assign } from '#lib/table/expressions';
import { accountKey } from '#lib/table/keys';
import { update } from '#lib/table/write';
import { withoutZone } from '#lib/time';
import type { Target } from '../../infra/admin/target.ts';
import { newAuthenticator } from '../authenticator.ts';
import { call, noted } from './service.ts';

/**
 * Creates passkeys by each kind of session, also while more sessions of the account have ended than it lists, and asserts
 * one after each kind of pause.
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
  await create('second', raised);
  await call('GET', '/api/core/account/export', { base, jwt: raised });
  // Within the day, and the first use of all on another one.
  for (const ms of [61_000, 3 * 86_400_000]) {
    await set({ lastActivity: withoutZone(Date.now() - ms), never_used: ms > 61_000 });
    const reply = await assertAgain();
    expect(reply.status, reply.text).toBe(200);
    noted(reply.body.data.JWTtoken as string);
  }
  return assertAgain;
}
