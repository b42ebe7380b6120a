import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import type { AuditEntry } from '#lib/audit/entry';
import { isAudited } from '#lib/http/audit';
import { PER_PAIR } from '#lib/login/attempts';
import { contracts } from '#lib/routes';
import { requestOf } from './requests.ts';
import { admin, call, createUser, get, post, prepare, type Reply, uniqueName } from './service.ts';

const file = join(inject('data'), 'audit.jsonl');

const all = async () =>
  (await readFile(file, 'utf8').catch(() => ''))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as AuditEntry);

/** The only audit line of a request, without its time and its source; it comes a moment after the answer. */
async function entryOf({ headers, body }: Reply<unknown>) {
  const id = headers.get('x-request-id');
  const ofRequest = async () => (await all()).filter(({ requestId }) => requestId === id);
  await expect.poll(async () => (await ofRequest()).length).toBeGreaterThan(0);
  const entries = await ofRequest();
  expect(entries).toHaveLength(1);
  const { level, time, source, requestId, ...entry } = entries[0] as AuditEntry & { level: string };
  expect({ level, source, requestId }).toEqual({
    level: 'audit',
    source: '127.0.0.1',
    requestId: body.requestID,
  });
  expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  return entry;
}

/** The target of a request of {@link requestOf}, where it is not the account that the request names. */
const TARGETS: Readonly<Record<string, (username: string, caller: string | null) => string | null>> = {
  'account.logout': (_, caller) => caller,
  // A body is read once the caller is known.
  'account.profile-update': (username, caller) => caller && username,
  'token.create-login-token': (_, caller) => caller && `logintoken@${caller}`,
  'token.create': (username) => `laptop@${username}`,
  'token.delete': (username) => `first@${username}`,
};

const targetOf = (id: string, username: string, caller: string | null) =>
  (TARGETS[id] ?? ((name) => name))(username, caller);

const audited = contracts.filter(isAudited);
const closed = audited.filter(({ access }) => access !== 'public');
const gated = closed.filter(({ access }) => access !== 'authenticated');
const named = gated.filter(({ id }) => id !== 'token.create-login-token');

// The audit log of a deployed stack is a log group.
describe.skipIf(inject('stack') !== undefined)('the audit log', () => {
  test.each(audited)('has one line for a success of $id', async ({ id }) => {
    const caller = await createUser({ roles: ['sys_administrator', 'sys_tokens'] });
    const user = await createUser();
    await prepare(id, user);
    const [method, path, request] = requestOf(id, user);
    const reply = await call(method, path, { ...request, token: await caller.token() });
    expect(reply.status, reply.text).toBe(200);
    expect(await entryOf(reply)).toEqual({
      actor: id === 'account.login' ? user.username : caller.username,
      action: id,
      target: targetOf(id, user.username, caller.username),
      outcome: 'ok',
      changed: true,
    });
  });

  test.each(closed)('has one line for a refused credential of $id', async ({ id }) => {
    const user = await createUser();
    const [method, path, request] = requestOf(id, user);
    expect(await entryOf(await call(method, path, request))).toEqual({
      actor: null,
      action: id,
      target: targetOf(id, user.username, null),
      outcome: 'unauthenticated',
      changed: false,
    });
  });

  test.each(gated)('has one line for a missing permission of $id', async ({ id }) => {
    const [caller, user] = [await createUser(), await createUser()];
    const [method, path, request] = requestOf(id, user);
    const reply = await call(method, path, { ...request, token: await caller.token() });
    expect(await entryOf(reply)).toEqual({
      actor: caller.username,
      action: id,
      target: targetOf(id, user.username, caller.username),
      outcome: 'forbidden',
      changed: false,
    });
  });

  test.each(named)('has one line for a name that nobody has of $id', async ({ id }) => {
    const username = uniqueName('missing');
    const [method, path, request] = requestOf(id, { username });
    expect(await entryOf(await call(method, path, { ...request, ...admin }))).toMatchObject({
      actor: 'admin',
      target: targetOf(id, username, 'admin'),
      outcome: 'account_not_found',
      changed: false,
    });
  });

  test('has one line for a repeat, which has changed nothing', async () => {
    const path = `/api/core/account/unlock/${(await createUser()).username}`;
    expect(await entryOf(await post(path, admin))).toMatchObject({ outcome: 'ok', changed: false });
  });

  test('has the owner of a cookie that a page of another site has used', async () => {
    const user = await createUser();
    const headers = { cookie: `ptoken=${await user.logIn()}`, 'sec-fetch-site': 'cross-site' };
    expect(await entryOf(await get('/api/core/account/logout', { headers }))).toMatchObject({
      actor: user.username,
      target: user.username,
      outcome: 'forbidden',
    });
  });

  test('has refusals of endpoints that only read, but neither their answers nor malformed requests', async () => {
    const silent = [
      await get('/api/core/account/browse?limit=1', admin),
      await get('/api/core/account/profile/nobody-of-this-name', admin),
      await post('/api/core/account/lock/not%20a%20name', admin),
    ];
    expect(silent.map(({ status }) => status)).toEqual([200, 404, 400]);
    // Each function writes in order: once this line is there, those before it would be.
    for (const path of ['GET account/browse', 'GET account/profile/admin', 'POST account/lock/admin']) {
      const [method = '', rest] = path.split(' ');
      const entry = await entryOf(await call(method, `/api/core/${rest}`));
      expect(entry).toMatchObject({ actor: null, outcome: 'unauthenticated' });
    }
    const ids = silent.map(({ headers }) => headers.get('x-request-id'));
    expect((await all()).filter(({ requestId }) => ids.includes(requestId))).toEqual([]);
  });

  test('has the account of a refused login, where there is one, and no text that may be a password', async () => {
    const user = await createUser();
    const attempt = async (username: string, password: string) =>
      entryOf(await post('/api/core/account/login', { json: { username, password } }));
    const refused = { actor: null, action: 'account.login', outcome: 'invalid_credentials', changed: false };
    expect(await attempt(user.password, user.username)).toEqual({ ...refused, target: null });
    expect(await attempt('api', 'no-token')).toEqual({ ...refused, target: null });
    for (let attempts = 0; attempts < PER_PAIR.max; attempts++)
      expect(await attempt(user.username, 'wrong-password')).toEqual({ ...refused, target: user.username });
    expect(await attempt(user.username, 'wrong-password')).toMatchObject({
      target: user.username,
      outcome: 'too_many_requests',
    });
    expect(await attempt('api', await user.token())).toMatchObject({
      actor: user.username,
      target: user.username,
      outcome: 'ok',
    });
  });

  test('is a file of its own, for its owner alone, with one line a request', async () => {
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(join(inject('data'), 'functions.log'), 'utf8')).not.toContain('"level":"audit"');
    await entryOf(await post('/api/core/account/lock/admin'));
    // A command of an operator has a line for each change.
    const ids = (await all()).flatMap(({ actor, requestId }) =>
      actor?.startsWith('operator:') ? [] : (requestId ?? []),
    );
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });
});
