import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import { describe, expect, inject, test } from 'vitest';
import { readLine } from '#lib/audit/line';
import { VERIFIED } from '#lib/audit/streams';
import type { AuditEntry, AuditLine } from '#lib/item/audit-entry';
import { contracts } from '#lib/routes';
import { openLogs } from './logs.ts';
import { run } from './operator.ts';
import { needsDevice, requestOf } from './requests.ts';
import { admin, call, createUser, get, post, prepare, type Reply, uniqueName } from './service.ts';

type Line = AuditLine & { readonly level: string };

const logs = await openLogs(Date.now());

/** The audit lines that contain a text; parsing those of all other tests at every poll would take most of the time. */
const linesWith = async (text: string) => (await logs.audit(text)).map((line) => JSON.parse(line) as Line);

/** The address that requests come from. */
const SOURCE = inject('stack') ? expect.toSatisfy((source: string) => isIP(source) > 0) : '127.0.0.1';

/** The only audit line of a request, without its time and its source; it comes a moment after the answer. */
async function entryOf({ headers }: Reply<unknown>) {
  const id = headers.get('x-request-id') as string;
  const ofRequest = async () => (await linesWith(id)).filter(({ requestId }) => requestId === id);
  await expect.poll(async () => (await ofRequest()).length).toBeGreaterThan(0);
  const entries = await ofRequest();
  expect(entries).toHaveLength(1);
  expect(readLine(VERIFIED, JSON.stringify(entries[0])), 'an entry').toBeDefined();
  const { level, time, source, requestId, details, account, ...entry } = entries[0] as Line;
  expect({ level, source, requestId }).toEqual({ level: 'audit', source: SOURCE, requestId: id });
  expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(account).toBe(entry.target?.split('@')[1]);
  return { ...entry, details: Object.keys(details ?? {}).sort() };
}

/** The target of a request of {@link requestOf} if it is not the account that the request names. */
const TARGETS: Readonly<Record<string, (username: string, caller: string | null) => string | null>> = {
  'account.create': (username) => `new.${username}`,
  'account.logout': (_, caller) => caller,
  'oauth.revoke': (username, caller) => caller && `presented@${username}`,
  'account.password': (_, caller) => caller,
  'token.create-login-token': (_, caller) => caller && `logintoken@${caller}`,
  'token.create-own': (username, caller) => caller && `for-${username}@${caller}`,
  'team.create': (username) => `ops-${username}`,
  'team.delete': (username) => `ops-${username}`,
  'team.rename': (username) => `ops-${username}`,
  'token.create': (username) => `laptop@${username}`,
  'token.delete': (username) => `first@${username}`,
  'token.rotate': (username) => `first@${username}`,
};

const targetOf = (id: string, username: string, caller: string | null) =>
  (TARGETS[id] ?? ((name) => name))(username, caller);

/** What a request proves an account by, in place of its caller. */
const LOGINS: Readonly<Record<string, string | null>> = { 'account.login': null, 'oauth.token': 'presented' };

/** Details that the request of {@link requestOf} has no reason for. */
const OTHER_DETAILS: Readonly<Record<string, readonly string[]>> = {
  'account.password': ['passkeys_ended'],
  'account.access': ['machine_owner', 'passkeys_ended', 'to_machine'],
  'account.create': ['teams_added', 'invite_hours', 'machine_owner'],
  'oauth.revoke': ['session', 'secret'],
  'oauth.token': ['resource', 'token_id'],
};

/** The listed entry of a line; the log stream of an operator decides about the actor. */
const entryIn = ({ level: _, account: __, actor, details, ...entry }: Line): AuditEntry =>
  entry.action.startsWith('admin ')
    ? expect.objectContaining({ ...entry, actor: expect.stringMatching(/^operator:/) })
    : { actor, details, ...entry };

/** The same of a refusal: the table has those of an hour as one. */
const listedOf = (line: Line): AuditEntry => {
  const entry = entryIn(line);
  if (line.outcome !== 'invalid_credentials') return entry;
  const { time, source } = line;
  const counted = { count: 1, first_at: time, last_at: time, sources: [source] };
  return { ...entry, ...counted, time: `${time.slice(0, 13)}:00:00.000Z` } as AuditEntry;
};

const audited = contracts.filter(({ audit }) => audit);
const gated = audited.filter(({ access }) => typeof access === 'object');

describe('the audit log', () => {
  // Those of a device: passkeys.test.ts.
  test.each(audited.filter((one) => !needsDevice(one)))(
    'has one line for a success of $id',
    async ({ id, audit }) => {
      const caller = await createUser({ roles: ['sys_administrator', 'sys_tokens'] });
      const user = await createUser();
      const presented = await user.token('presented');
      await prepare(id, user);
      const [method, path, request] = requestOf(id, { ...user, presented });
      const reply = await call(method, path, { ...request, token: await caller.token('Laptop') });
      expect(await entryOf(reply)).toEqual({
        actor: LOGINS[id] === undefined ? caller.username : user.username,
        credential: LOGINS[id] === undefined ? 'Laptop' : LOGINS[id],
        action: id,
        target: targetOf(id, user.username, caller.username),
        outcome: 'ok',
        changed: audit?.changes ?? true,
        details: (audit?.details ?? []).filter((name) => !OTHER_DETAILS[id]?.includes(name)).sort(),
      });
      const isToken = ['token', 'credential'].includes(String(audit?.target));
      expect(targetOf(id, user.username, caller.username)?.includes('@')).toBe(isToken);
    },
  );

  // Rules of refusals: test/unit/http/audit.test.ts.
  test('has one line for a missing permission of each endpoint', async () => {
    const caller = uniqueName('stranger');
    const token = await (await createUser({ username: caller })).token('CI');
    const { username } = await createUser();
    for (const { id: action } of gated) {
      const [method, path, request] = requestOf(action, { username });
      const entry = await entryOf(await call(method, path, { ...request, token }));
      const target = targetOf(action, username, caller);
      const refused = { actor: caller, credential: 'CI', outcome: 'forbidden', changed: false };
      expect(entry).toMatchObject({ ...refused, action, target });
    }
  });

  test('is listed over HTTP, newest first: changes, refusals and operator commands', async () => {
    const { username } = await createUser();
    const listed = async () =>
      (await get(`/api/core/audit/browse?target=${username}`, admin)).body.data.items as AuditEntry[];
    await post('/api/core/account/login', { json: { username, password: 'wrong-password' } });
    await post(`/api/core/account/lock/${username}`, admin);
    await run(['account', 'unlock', username]);
    await expect.poll(listed).toHaveLength(4);
    const lines = (await linesWith(username)).filter(({ target }) => target === username);
    const entries = lines.toSorted((one, other) => Date.parse(one.time) - Date.parse(other.time));
    expect(await listed()).toEqual(entries.toReversed().map(listedOf));
    expect(entries.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
      'account.login invalid_credentials',
      'account.lock ok',
      'admin account unlock started',
      'admin account unlock ok',
    ]);
    expect(entries[0]?.details).toEqual({ cause: 'wrong_password' });
  });

  test('is listed by the batch of its requests, with the present names of people', async () => {
    const users = await Promise.all(
      ['Grace', 'Annie'].map((user_first_name) => createUser({ user_first_name })),
    );
    const id = randomUUID();
    const headers = { 'x-batch': id.toUpperCase(), 'x-batch-size': '2' };
    for (const { username } of users) await post(`/api/core/account/lock/${username}`, { ...admin, headers });
    const list = async () =>
      (await get(`/api/core/audit/browse?batch=${id}&names=true`, admin)).body.data.items;
    await expect.poll(list).toHaveLength(2);
    const named = (await list()) as (AuditEntry & { target_name: string })[];
    const details = { batch: id, batch_size: 2 };
    expect(named.map((entry) => [entry.target_name, entry.details])).toEqual([
      ['Annie', expect.objectContaining(details)],
      ['Grace', expect.objectContaining(details)],
    ]);
    const refused = await post(`/api/core/account/lock/${users[0]?.username}`, {
      ...admin,
      headers: { 'x-batch': 'mine' },
    });
    expect([refused.status, refused.body.data.errors]).toEqual([
      400,
      [{ field: 'x-batch', message: 'Must be a UUID' }],
    ]);
  });

  test('names nobody in refusals of strangers, whatever they name, and folds them', async () => {
    const { username } = await createUser();
    const replies = [];
    for (let n = 0; n < 20; n++)
      replies.push(await get(`/api/core/account/profile/${username}`, { token: 'cst_made-up' }));
    for (const reply of replies) expect(await entryOf(reply)).toMatchObject({ actor: null, target: null });
    await post(`/api/core/account/lock/${username}`, admin);
    const listed = async () =>
      (await get(`/api/core/audit/browse?target=${username}`, admin)).body.data.items as AuditEntry[];
    await expect.poll(async () => (await listed()).map(({ action }) => action)).toContain('account.lock');
    expect((await listed()).filter(({ outcome }) => outcome !== 'ok')).toEqual([]);
  });

  test('has one line for each request, also of other tests', async () => {
    await entryOf(await post('/api/core/account/lock/admin'));
    // A command of an operator has a line for each change.
    const ids = (await linesWith('requestId')).flatMap(({ action, requestId }) =>
      action.startsWith('admin ') ? [] : (requestId ?? []),
    );
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });
});
