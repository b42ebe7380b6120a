import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import type { AuditEntry } from '#lib/audit/entry';
import { isAudited } from '#lib/http/audit';
import { contracts, routes } from '#lib/routes';
import { requestOf } from './requests.ts';
import { admin, type Call, call, createUser, get, post, type Reply, uniqueName } from './service.ts';

const file = join(inject('data'), 'audit.jsonl');
const isStack = inject('stack') !== undefined;

const all = async () => {
  const text = isStack ? '' : await readFile(file, 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as AuditEntry);
};

/** The audit lines of a request, which come a moment after its answer. */
async function entriesOf({ headers }: Reply<unknown>): Promise<AuditEntry[]> {
  const id = headers.get('x-request-id');
  const of = async () => (await all()).filter(({ requestId }) => requestId === id);
  await expect.poll(async () => (await of()).length).toBeGreaterThan(0);
  return of();
}

/** The only audit line of a request, without its time and its source. */
async function entryOf(reply: Reply<unknown>) {
  const entries = await entriesOf(reply);
  expect(entries).toHaveLength(1);
  const { level, time, source, requestId, ...entry } = entries[0] as AuditEntry & { level: string };
  expect(level).toBe('audit');
  expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(source).toBe('127.0.0.1');
  expect(requestId).toBe(reply.body.requestID);
  return entry;
}

const isOperator = (actor: AuditEntry['actor']) => actor?.startsWith('operator:');

const audited = contracts.filter(isAudited);

test('the endpoints that change something, and the login, are audited', () => {
  expect(audited.map(({ id }) => id).sort()).toEqual([
    'account.cancel',
    'account.context',
    'account.copy',
    'account.lock',
    'account.login',
    'account.logout',
    'account.profile-update',
    'account.reactivate',
    'account.unlock',
    'token.create',
    'token.create-login-token',
    'token.delete',
  ]);
});

/** What a request of {@link requestOf} is about, if not about the account that it names. */
const TARGETS: Readonly<Record<string, (username: string, caller: string | null) => string | null>> = {
  'account.logout': (_, caller) => caller,
  // A body is read once the caller is known.
  'account.profile-update': (username, caller) => caller && username,
  'token.create-login-token': (_, caller) => caller && `logintoken@${caller}`,
  'token.create': (username) => `laptop@${username}`,
  'token.delete': (username) => `first@${username}`,
};

const targetOf = (id: string, username: string, caller: string | null) =>
  TARGETS[id] ? TARGETS[id](username, caller) : username;

const NO_CHANGE = ['account.unlock', 'account.reactivate'];

describe.skipIf(isStack).each(audited)('$id', ({ id, access }) => {
  test('writes one line for a success', async () => {
    const caller = await createUser({ roles: ['sys_administrator', 'sys_tokens'] });
    const user = await createUser();
    await user.token('first');
    const [method, path, request] = requestOf(id, user);
    const reply = await call(method, path, { ...request, token: await caller.token() });
    expect(reply.status, reply.text).toBe(200);
    const isLogin = id === 'account.login';
    expect(await entryOf(reply)).toEqual({
      actor: isLogin ? user.username : caller.username,
      action: id,
      target: targetOf(id, user.username, caller.username),
      outcome: 'ok',
      changed: !NO_CHANGE.includes(id),
    });
  });

  test.skipIf(access === 'public')('writes one line for a refused credential', async () => {
    const user = await createUser();
    const [method, path, request] = requestOf(id, user);
    const reply = await call(method, path, request);
    expect(reply.status).toBe(401);
    expect(await entryOf(reply)).toEqual({
      actor: null,
      action: id,
      target: targetOf(id, user.username, null),
      outcome: 'unauthenticated',
      changed: false,
    });
  });

  test.skipIf(typeof access === 'string')('writes one line for a permission that is missing', async () => {
    const [caller, user] = [await createUser(), await createUser()];
    const [method, path, request] = requestOf(id, user);
    const reply = await call(method, path, { ...request, token: await caller.token() });
    expect(reply.status).toBe(403);
    expect(await entryOf(reply)).toEqual({
      actor: caller.username,
      action: id,
      target: targetOf(id, user.username, caller.username),
      outcome: 'forbidden',
      changed: false,
    });
  });
});

const named = routes.filter(({ path, contract }) => isAudited(contract) && path.includes('username}'));

test.skipIf(isStack).each(named)(
  '$method $path writes one line for a name that nobody has',
  async (route) => {
    const missing = uniqueName('missing');
    const path = route.path
      .replace('{app_name}', 'core')
      .replace('{token_name}', 'a-token')
      .replace('{source_username}', 'admin')
      .replace(/\{\w+\}/, missing);
    const reply = await call(route.method, path, admin);
    expect(reply.status).toBe(404);
    const entry = await entryOf(reply);
    expect(entry).toMatchObject({ actor: 'admin', outcome: 'account_not_found', changed: false });
    expect(entry.target?.replace('a-token@', '')).toBe(missing);
  },
);

describe.skipIf(isStack)('one line tells', () => {
  test('what the state of a target refuses', async () => {
    const user = await createUser();
    const { username } = user;
    await user.token('held');
    const refused = async (path: string, request: Call = admin) => entryOf(await post(path, request));
    expect(await refused(`/api/core/token/create/held/${username}`)).toMatchObject({
      target: `held@${username}`,
      outcome: 'token_exists',
    });
    expect(await refused(`/api/core/token/delete/other/${username}`)).toMatchObject({
      target: `other@${username}`,
      outcome: 'token_not_found',
    });
    expect(await refused(`/api/core/account/context/nothing/${username}`)).toMatchObject({
      outcome: 'app_not_found',
    });
    expect(await refused('/api/core/account/lock/admin')).toMatchObject({ outcome: 'self_target' });
  });

  test('that a repeat has changed nothing', async () => {
    const { username } = await createUser();
    const changed = async (path: string) => (await entryOf(await post(path, admin))).changed;
    const lock = `/api/core/account/lock/${username}`;
    expect([await changed(lock), await changed(lock)]).toEqual([true, false]);
    const copy = `/api/core/account/copy/admin/${username}`;
    expect([await changed(copy), await changed(copy)]).toEqual([true, false]);
  });

  test('names in lower case, however they were written', async () => {
    const user = await createUser({ username: uniqueName('Upper') });
    const reply = await post(`/api/core/account/lock/${user.username.toUpperCase()}`, admin);
    expect(await entryOf(reply)).toMatchObject({ target: user.username.toLowerCase() });
  });

  test('whose cookie a page of another site has used', async () => {
    const user = await createUser();
    const headers = { cookie: `ptoken=${await user.logIn()}`, 'sec-fetch-site': 'cross-site' };
    expect(await entryOf(await get('/api/core/account/logout', { headers }))).toEqual({
      actor: user.username,
      action: 'account.logout',
      target: user.username,
      outcome: 'forbidden',
      changed: false,
    });
  });

  test('a refusal of an endpoint that changes nothing', async () => {
    const user = await createUser();
    expect(await entryOf(await get('/api/core/system/uuid'))).toMatchObject({
      actor: null,
      action: 'system.uuid',
      target: null,
      outcome: 'unauthenticated',
    });
    const browse = await get('/api/core/account/browse', { token: await user.token() });
    expect(await entryOf(browse)).toMatchObject({ actor: user.username, target: null, outcome: 'forbidden' });
  });
});

test.skipIf(isStack)('what was malformed, and what only reads, is not audited', async () => {
  const before = [
    await get('/api/core/account/browse', admin),
    await get('/api/core/account/profile/nobody-of-this-name', admin),
    await post('/api/core/account/lock/not%20a%20name', admin),
    await post('/api/core/account/login', { json: {} }),
  ];
  expect(before.map(({ status }) => status)).toEqual([200, 404, 400, 400]);
  // Each function writes in order: once this line is there, those before it would be.
  for (const path of ['account/browse', 'account/profile/admin', 'account/lock/admin'])
    await entryOf(await call(path.includes('lock') ? 'POST' : 'GET', `/api/core/${path}`));
  const ids = before.map(({ headers }) => headers.get('x-request-id'));
  expect((await all()).filter(({ requestId }) => ids.includes(requestId))).toEqual([]);
});

describe.skipIf(isStack)('a login that is refused', () => {
  const attempt = (username: string, password: string) =>
    post('/api/core/account/login', { json: { username, password } });

  test('names the account, where there is one, and no text that may be a password', async () => {
    const user = await createUser();
    const refused = { actor: null, action: 'account.login', outcome: 'invalid_credentials', changed: false };
    expect(await entryOf(await attempt(user.username, 'wrong-password'))).toEqual({
      ...refused,
      target: user.username,
    });
    expect(await entryOf(await attempt(user.password, user.username))).toEqual({ ...refused, target: null });
    expect(await entryOf(await attempt('api', 'no-token'))).toEqual({ ...refused, target: null });
  });

  test('because of the attempts before it names the account as well', async () => {
    const { username } = await createUser();
    for (let attempts = 0; attempts < 5; attempts++) await attempt(username, 'wrong-password');
    const reply = await attempt(username, 'wrong-password');
    expect(reply.status).toBe(429);
    expect(await entryOf(reply)).toMatchObject({ target: username, outcome: 'too_many_requests' });
  });

  test('with an API token that is good is none: it names its account', async () => {
    const user = await createUser();
    expect(await entryOf(await attempt('api', await user.token()))).toMatchObject({
      actor: user.username,
      target: user.username,
      outcome: 'ok',
    });
  });
});

test.skipIf(isStack)(
  'the audit log of a local instance is a file of its own, for its owner alone',
  async () => {
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(join(inject('data'), 'functions.log'), 'utf8')).not.toContain('"level":"audit"');
  },
);

test.skipIf(isStack)('no request has two lines', async () => {
  // A command of an operator has a line for each thing that it does.
  const ids = (await all()).flatMap(({ actor, requestId }) => (isOperator(actor) ? [] : (requestId ?? [])));
  expect(ids.length).toBeGreaterThan(50);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});
