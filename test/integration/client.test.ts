import { describe, expect, test } from 'vitest';
import { type Client, CoreAccountError } from '#lib/client/index';
import { contracts } from '#lib/routes';
import { administrator, clientOf, createUser, noted, type User, uniqueName } from './service.ts';

/** Each operation once, as it is meant to be asked, and what it answers. */
const OPERATIONS: Record<string, (user: User, own: Client) => Promise<[answer: unknown, expected: unknown]>> =
  {
    'account.browse': async ({ username }) => [
      await first(administrator.account.browse({ q: username })),
      { username, islocked: false },
    ],
    'account.cancel': async ({ username }) => [
      await administrator.account.cancel({ username }),
      { username, isactive: false, changed: true },
    ],
    'account.context': async ({ username }, { account }) => [
      await account.context({ app_name: 'core' }),
      { username, user_app_name: 'core' },
    ],
    'account.copy': async ({ username }) => [
      await administrator.account.copy({ source_username: 'admin', target_username: username }),
      { source: 'admin', target: username, roles_added: ['sys_administrator'] },
    ],
    'account.lock': async ({ username }) => [
      await administrator.account.lock({ username }),
      { username, islocked: true, changed: true },
    ],
    'account.login': async ({ username, password }) => {
      const session = await clientOf().account.login({ username, password });
      return [
        { ...session, JWTtoken: noted(session.JWTtoken) },
        { username, token_type: 'Bearer' },
      ];
    },
    'account.logout': async ({ username }, { account }) => [await account.logout(), { username }],
    'account.profile': async ({ username }) => [
      await administrator.account.profile({ username, pscope: ['user', 'roles'] }),
      { user: { username }, roles: ['sys_tokens'] },
    ],
    'account.profile-update': async ({ username }, { account }) => [
      await account.profileUpdate({ user_short: 'ÄÖ', user_properties: { theme: 'dark' } }),
      { user: { username, user_short: 'ÄÖ', user_properties: { root: {}, theme: 'dark' } } },
    ],
    'account.reactivate': async ({ username }) => {
      await administrator.account.cancel({ username });
      const answer = await administrator.account.reactivate({ username, revoke_tokens: true });
      return [answer, { username, isactive: true, changed: true, tokens_revoked: 1 }];
    },
    'account.unlock': async ({ username }) => [
      await administrator.account.unlock({ username }),
      { username, islocked: false, changed: false },
    ],
    'docs.openapi': async () => [await clientOf().docs.openapi(), { openapi: '3.1.0' }],
    'system.info': async ({ username }, { system }) => [
      await system.info({ setup: true }),
      { 'kv.v.user.username': username, 'kv.v.setup.bcrypt_cost': expect.any(Number) },
    ],
    'system.jwks': async () => [await clientOf().system.jwks(), { keys: expect.any(Array) }],
    'system.ping': async ({ username }, { system }) => [
      await system.ping({ success: true, data: 1 }),
      { ping: 'pong', method: 'POST', username, body: { success: true, data: 1 } },
    ],
    'system.preview': async (_, { system }) => [
      await system.preview({ painput: '# Hello' }),
      { html: '<h1>Hello</h1>\n' },
    ],
    'system.uuid': async (_, { system }) => [
      { uuid: await system.uuid() },
      { uuid: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    ],
    'system.uuids': async (_, { system }) => [{ n: (await system.uuids({ n: 3 })).length }, { n: 3 }],
    'token.browse': async () => [await first(administrator.token.browse()), { value: null }],
    'token.create': async ({ username }) => {
      const made = await administrator.token.create({ token_name: 'second', username });
      const token = noted(made.value);
      return [await clientOf({ token }).system.ping([]), { username, body: [] }];
    },
    'token.create-login-token': async ({ username }, client) => {
      const token = noted((await client.token.createLoginToken()).value);
      return [await clientOf({ token }).account.profile(), { user: { username } }];
    },
    'token.delete': async ({ username }, client) => [
      await client.token.delete({ token_name: 'first', username }),
      { username, name: 'first' },
    ],
    'token.list-own': async ({ username }, client) => [
      await client.token.listOwn(),
      { items: [{ name: 'first', username, value: null }] },
    ],
    'token.list-user': async ({ username }) => [
      await administrator.token.listUser({ username }),
      { items: [{ name: 'first' }] },
    ],
  };

const first = async <T>(listing: AsyncGenerator<T>) => (await listing.next()).value as T;

test.each(contracts.filter(({ forPeople }) => !forPeople))(
  '$id answers through the client',
  async ({ id }) => {
    const user = await createUser({ roles: ['sys_tokens'] });
    await user.token('first');
    const own = clientOf(user);
    const [answer, expected] = (await OPERATIONS[id]?.(user, own)) ?? [];
    expect(answer, id).toMatchObject(expected as object);
  },
);

describe('an error', () => {
  test.each<[string, (user: User) => Promise<unknown>, object]>([
    [
      'of a name in use',
      ({ username }) => administrator.token.create({ token_name: 'first', username }),
      { code: 'token_exists', status: 409 },
    ],
    [
      'of an unknown account',
      () => administrator.account.lock({ username: uniqueName() }),
      { code: 'account_not_found', status: 404 },
    ],
    [
      'of one’s own account',
      () => administrator.account.lock({ username: 'admin' }),
      { code: 'self_target', status: 409 },
    ],
    [
      'of a missing role',
      (user) => first(clientOf(user).account.browse()),
      { code: 'forbidden', status: 403, errors: [{ field: 'role', message: 'Requires sys_administrator' }] },
    ],
    [
      'of a filter',
      () => first(administrator.account.browse({ limit: 0 })),
      { code: 'invalid_request', status: 400, errors: [{ field: 'limit' }] },
    ],
    ['of no credential', () => clientOf().account.profile(), { code: 'unauthenticated', status: 401 }],
    [
      'of a wrong password',
      (user) => clientOf({ ...user, password: noted('wrong-password') }).account.profile(),
      { code: 'invalid_credentials', operation: 'account.login' },
    ],
    [
      'of a route that is none',
      () => administrator.account.lock({ username: '%2F/' }),
      { code: 'not_found', status: 404 },
    ],
  ])('%s has its code', async (_, ask, expected) => {
    const user = await createUser();
    await user.token('first');
    const error = await ask(user).then(
      () => undefined,
      (thrown: CoreAccountError) => thrown,
    );
    expect(error).toBeInstanceOf(CoreAccountError);
    expect(error).toMatchObject(expected);
    if (error?.code !== 'not_found') expect(error?.requestId).toMatch(/\S/);
  });
});
