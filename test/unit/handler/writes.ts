import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import type { NewAccount } from '#lib/account/create';
import { type Account, FOREVER } from '#lib/item/account';
import type { SigningKey } from '#lib/session/session-token';
import { accountKey, passwordKey, propertiesKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { createToken } from '#lib/token/create';
import { listTokens } from '#lib/token/list';
import type { Fault } from '../../wire/dynamodb-proxy.ts';
import { call, createSigningKey, openEndpoints } from '../support/endpoints.ts';
import { by } from '../support/engine.ts';
import { openTestBus } from '../support/event-bus.ts';
import { setAttributes } from '../support/set-attributes.ts';

const FUNCTIONS = fileURLToPath(new URL('../../../functions', import.meta.url));

/** A request that writes: by what role, of which function, and what it is about. */
export interface Write {
  readonly role?: string;
  readonly file: string;
  readonly request: (
    target: Account,
    caller: Account,
  ) => { readonly params?: object; readonly body?: object };
  readonly state?: Partial<Account>;
}
const username = (target: Account) => ({ params: { username: target.username } });
const token = (target: Account) => ({ params: { username: target.username, token_name: 'held' } });
const ADMINISTRATOR = 'sys_administrator';

export const WRITES: Record<string, Write> = {
  lock: { role: ADMINISTRATOR, file: 'account/lock', request: username },
  unlock: { role: ADMINISTRATOR, file: 'account/unlock', request: username, state: { lockoutend: FOREVER } },
  'unlock of what is not locked': { role: ADMINISTRATOR, file: 'account/unlock', request: username },
  cancel: { role: ADMINISTRATOR, file: 'account/cancel', request: username },
  reactivate: {
    role: ADMINISTRATOR,
    file: 'account/reactivate',
    request: username,
    state: { isactive: false },
  },
  'reactivate without tokens': {
    role: ADMINISTRATOR,
    file: 'account/reactivate',
    request: (target) => ({ ...username(target), body: { revoke_tokens: true } }),
    state: { isactive: false },
  },
  copy: {
    role: ADMINISTRATOR,
    file: 'account/copy',
    request: (target, caller) => ({
      params: { source_username: caller.username, target_username: target.username },
    }),
  },
  'context of another': {
    role: ADMINISTRATOR,
    file: 'account/context',
    request: (target) => ({ params: { username: target.username, app_name: 'crm' } }),
  },
  'own context': { file: 'account/context', request: () => ({ params: { app_name: 'crm' } }) },
  'profile-update of another': {
    role: ADMINISTRATOR,
    file: 'account/profile-update',
    request: (target) => ({ body: { username: target.username, user_short: 'NEW' } }),
  },
  'own profile-update': { file: 'account/profile-update', request: () => ({ body: { user_short: 'NEW' } }) },
  'own properties': {
    file: 'account/profile-update',
    request: () => ({ body: { user_properties: { root: { a: 1 } } } }),
  },
  'create of a token': {
    role: ADMINISTRATOR,
    file: 'token/create',
    request: (target) => ({ params: { username: target.username, token_name: 'new' } }),
  },
  'delete of a token': { role: ADMINISTRATOR, file: 'token/delete', request: token },
  'delete of an own token': { file: 'token/delete', request: (_target, caller) => token(caller) },
  logintoken: { role: 'sys_tokens', file: 'token/create-login-token', request: () => ({}) },
  logout: { file: 'account/logout', request: () => ({}) },
};

/** The endpoints that write, on a test table; to be called once at the top of a test file. */
export async function openWrites() {
  const bench = await openEndpoints();
  const { table, wire, runtime, account, session } = bench;
  await openTestBus();
  vi.stubEnv('EVENT_BUS_NAME', 'bus');
  // The functions are loaded by this file alone, with its table.
  vi.resetModules();
  let key: SigningKey;
  beforeAll(async () => {
    key = await createSigningKey(table);
  });
  afterAll(() => {
    vi.unstubAllEnvs();
    vi.resetModules();
  });

  const everythingOf = async ({ username }: Account) =>
    Promise.all([
      get(table, accountKey(username)),
      get(table, passwordKey(username)),
      get(table, propertiesKey(username)),
      listTokens(table, username),
    ]);

  /** Sends a request, and does something to its caller, or to its first write, just before that write. */
  async function send(
    { role, file, request, state }: Write,
    meanwhile: (caller: Account) => Promise<Fault | undefined>,
  ) {
    const input: Partial<NewAccount> = { roles: ['x', ...(role ? [role] : [])], apps: ['core', 'crm'] };
    const caller = await account(input);
    const created = await account({ apps: ['core', 'crm'] });
    for (const owner of [caller, created]) await createToken(runtime, owner, 'held', by('test'));
    const target = state ? await setAttributes(table, created, state) : created;
    const { handler } = await import(/* @vite-ignore */ `${FUNCTIONS}/${file}.ts`);
    const { params, body } = request(target, caller);

    const before: unknown[] = [];
    let waiting = true;
    wire.script(async (operation, sent) => {
      const isActivity = JSON.stringify(sent).includes('lastActivity');
      if (!waiting || isActivity || !/^(TransactWrite|Update)/.test(operation)) return undefined;
      waiting = false;
      const fault = await meanwhile(caller);
      before.push(await everythingOf(caller), await everythingOf(target));
      return fault;
    });
    const reply = await call(handler, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await session(caller, key, Date.now())}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(params ? { pathParameters: params as Record<string, string> } : {}),
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    wire.reset();
    expect(waiting).toBe(false);
    return { reply, before, after: [await everythingOf(caller), await everythingOf(target)] };
  }

  return { ...bench, send };
}
