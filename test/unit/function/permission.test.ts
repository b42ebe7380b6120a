import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { NewAccount } from '#lib/account/create';
import { type Account, FOREVER } from '#lib/item/account';
import type { SigningKey } from '#lib/session/session-token';
import { accountKey, passwordKey, propertiesKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { remove } from '#lib/table/write';
import { createToken } from '#lib/token/create';
import { listTokens } from '#lib/token/list';
import { call, createSigningKey, openEndpoints } from '../endpoints.ts';
import { openTestBus } from '../event-bus.ts';
import { setAttributes } from '../set-attributes.ts';

const { table, wire, runtime, account, session } = await openEndpoints();
await openTestBus();
vi.stubEnv('EVENT_BUS_NAME', 'bus');

let key: SigningKey;
beforeAll(async () => {
  key = await createSigningKey(table);
});
afterAll(() => {
  vi.unstubAllEnvs();
});

const FUNCTIONS = fileURLToPath(new URL('../../../functions', import.meta.url));

/** A request that writes: by what role, of which function, and what it is about. */
interface Write {
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

const WRITES: Record<string, Write> = {
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

/** What becomes of the caller after the request has authenticated it, and the failure that follows. */
const LOSSES: [string, (caller: Account, role?: string) => Promise<unknown>, number, boolean][] = [
  ['locked', (caller) => setAttributes(table, caller, { lockoutend: FOREVER }), 401, true],
  ['cancelled', (caller) => setAttributes(table, caller, { isactive: false }), 401, true],
  ['robbed of the role', (caller) => setAttributes(table, caller, { roles: ['other'] }), 403, false],
  ['removed', (caller) => remove(table, accountKey(caller.username)), 401, true],
];

const everythingOf = async ({ username }: Account) =>
  Promise.all([
    get(table, accountKey(username)),
    get(table, passwordKey(username)),
    get(table, propertiesKey(username)),
    listTokens(table, username),
  ]);

/** Sends a request, and does something to its caller between its authentication and its first write. */
async function race({ role, file, request, state }: Write, lose: (caller: Account) => Promise<unknown>) {
  const input: Partial<NewAccount> = { roles: ['x', ...(role ? [role] : [])], apps: ['core', 'crm'] };
  const caller = await account(input);
  const created = await account({ apps: ['core', 'crm'] });
  for (const owner of [caller, created]) await createToken(runtime, owner, 'held', 'test');
  const target = state ? await setAttributes(table, created, state) : created;
  const { handler } = await import(/* @vite-ignore */ `${FUNCTIONS}/${file}.ts`);
  const { params, body } = request(target, caller);

  const before: unknown[] = [];
  let waiting = true;
  wire.script(async (operation, sent) => {
    const isActivity = JSON.stringify(sent).includes('lastActivity');
    if (!waiting || isActivity || !/^(TransactWrite|Update)/.test(operation)) return undefined;
    waiting = false;
    await lose(caller);
    before.push(await everythingOf(caller), await everythingOf(target));
    return undefined;
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

describe.each(Object.entries(WRITES))('%s', (_name, write) => {
  test('is carried out where nothing happens to its caller', async () => {
    const { reply, before, after } = await race(write, async () => undefined);
    expect(reply.status).toBe(200);
    expect(after).not.toEqual(before);
  });

  test.each(LOSSES.filter(([, , , always]) => always || write.role))(
    'changes nothing where its caller was %s a moment ago',
    async (_loss, lose, status) => {
      const { reply, before, after } = await race(write, lose);
      expect(reply.status).toBe(status);
      expect(after).toEqual(before);
    },
  );
});

test.each(Object.entries(WRITES).filter(([, { role }]) => !role))(
  '%s needs no role',
  async (_name, write) => {
    const { reply } = await race(write, (caller) => setAttributes(table, caller, { roles: [] }));
    expect(reply.status).toBe(200);
  },
);
