import { join } from 'node:path';
import { decodeProtectedHeader, exportJWK, generateKeyPair } from 'jose';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount } from '#lib/account/create';
import { EVENT_TYPES } from '#lib/instance/settings';
import type { Account, Password } from '#lib/item/account';
import type { AuditItem } from '#lib/item/audit-entry';
import type { PublicKeyItem } from '#lib/item/instance';
import { PER_ADDRESS, PER_NAME, PER_PAIR } from '#lib/login/attempts';
import { lockForATime } from '#lib/login/lockout';
import { GRANT_TYPES } from '#lib/oauth/grant-types';
import { contracts, functions } from '#lib/routes';
import type { Runtime } from '#lib/runtime';
import { assign } from '#lib/table/expressions';
import {
  accountKey,
  attemptsOfPairKey,
  attemptsOnNameKey,
  auditRanges,
  codeAttemptsOfPairKey,
  cursorSecretKey,
  directoryIndex,
  erasureKey,
  erasureKeyCheckKey,
  formerTokenNameKey,
  type Key,
  outboxKey,
  passkeyAttemptsFromAddressKey,
  passwordCostKey,
  passwordKey,
  publicKeyItemKey,
  reminderKey,
  resourceKeyItemKey,
  revocationKey,
  teamKey,
  tokenKey,
  tokenNameKey,
} from '#lib/table/keys';
import { query, get as readItem } from '#lib/table/read';
import { openTable, type Table } from '#lib/table/table';
import { put, remove, update } from '#lib/table/write';
import { DAY_MS, withoutZone } from '#lib/time';
import { createToken } from '#lib/token/create';
import { hashApiToken } from '#lib/token/secret';
import { openTarget, type Target } from '../../infra/admin/target.ts';
import { adoptEnvironment, sdkEnvironment } from '../../infra/local/sdk-environment.ts';
import { startEventBus } from '../../infra/local/services/event-bus/event-bus.ts';
import { loadPolicies } from '../../infra/local/services/iam/confinement.ts';
import { startSecretsManager } from '../../infra/local/services/secrets-manager.ts';
import { ensureTable } from '../../infra/table/ensure.ts';
import { leaveTraces } from '../unit/erasure/traces.ts';
import { newFolder } from '../unit/support/folder.ts';
import { identityV3 } from '../unit/support/identity-hash.ts';
import { accountItem, storedSession } from '../unit/support/items.ts';
import { openProxy } from '../wire/dynamodb-proxy.ts';
import { EVERY_ROLE, giveEveryRole } from './every-role.ts';
import { grantedBy, neededBy } from './grant-pairs.ts';
import { endPasskeys, refuseEarlier, usePasskeys } from './grant-passkeys.ts';
import { useTrusts } from './grant-trusts.ts';
import { requestOf, samplesOf } from './requests.ts';
import { ORDERS } from './resources.ts';
import { type Call, call, noted, prepare, uniqueName } from './service.ts';
import { startWatchedInstance } from './watched-instance.ts';

const REGION = 'us-east-1';
const TABLE = 'table-of-the-grants';

/** One failure fewer than the limit of a name, from other addresses. */
const failures = () =>
  Array.from({ length: PER_NAME.max - 1 }, (_, n) => ({ id: `${n}`, at: Date.now(), from: `${n}` }));

/** Credentials of a user with a DynamoDB of their own. */
const ANY = { accessKeyId: 'local', secretAccessKey: 'local' };

let watched: Awaited<ReturnType<typeof startWatchedInstance>>;
let closing: readonly { close(): unknown }[];
let wires: readonly Awaited<ReturnType<typeof openProxy>>[];

beforeAll(async () => {
  const bus = await startEventBus({
    file: join(newFolder(), 'events.jsonl'),
    region: REGION,
    accessKeyId: ANY.accessKeyId,
  });
  const store = await startSecretsManager({ region: REGION, accessKeyId: ANY.accessKeyId });
  store.rotateWith(() => Promise.reject(new Error('Nobody asks for it')));
  const [events, secrets] = await Promise.all([openProxy(bus.url), openProxy(store.url)]);
  watched = await startWatchedInstance({
    // The platforms of machines, and work for the job that fetches their keys.
    args: ['--no-demo', '--enforce-iam', '--table', TABLE, '--issuer', '0'],
    env: {
      AWS_REGION: REGION,
      Settings__Events: EVENT_TYPES.join(','),
      // Those of the samples have the same names.
      Settings__Issuers: '[]',
      Settings__SecondFactor: 'offered',
      AWS_ENDPOINT_URL_EVENTBRIDGE: events.url,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
    },
    prepare: leaveWork,
  });
  wires = [watched.proxy, events, secrets];
  closing = [events, secrets, bus, store];
});

afterAll(async () => {
  await watched.stop();
  for (const each of closing) await each.close();
});

/**
 * Work for the jobs: valid and refused events, keys to retire and remove, ends of a present and a deleted token, and revoked
 * tokens with names in both places.
 */
async function leaveWork(dynamodb: string) {
  const services = { dynamodb, events: dynamodb, secretsmanager: dynamodb };
  adoptEnvironment(sdkEnvironment({ AWS_REGION: REGION }, services, ANY));
  const table = openTable(TABLE, dynamodb);
  await ensureTable(table, () => undefined);
  const { publicKey } = await generateKeyPair('ES256');
  const jwk = (kid: string) => exportJWK(publicKey).then((key) => ({ ...key, kid }) as PublicKeyItem['jwk']);
  await put(table, publicKeyItemKey('current'), { jwk: await jwk('current') });
  for (const itemKey of [publicKeyItemKey, resourceKeyItemKey])
    await put(table, itemKey('expired'), { jwk: await jwk('expired'), expires_at: 1 });
  const event = { id: uuidv7(), detailType: 'user_cancel', detail: '{}', createdAt: 1 };
  await put(table, outboxKey(event.id), event);
  // The bus refuses an event without a type.
  const refused = { ...event, id: uuidv7(), detailType: '' };
  await put(table, outboxKey(refused.id), refused);
  const [due, expires_at] = [Date.now() - 1000, Date.now() + DAY_MS];
  await put(table, accountKey('expiring'), accountItem({ username: 'expiring' }));
  await put(table, tokenNameKey('expiring', 'ci'), { sha256: '0'.repeat(64), expires_at });
  for (const name of ['ci', 'deleted'])
    await put(table, reminderKey(due, 'expiring', name), {
      ...{ username: 'expiring', name, expires_at, days: 3 },
      ttl: Math.ceil(expires_at / 1000),
    });
  await put(table, accountKey('revoked'), accountItem({ username: 'revoked', token_generation: 1 }));
  await put(table, tokenNameKey('revoked', 'ci'), { sha256: '1'.repeat(64) });
  await put(table, formerTokenNameKey('revoked', 'cd'), { sha256: '2'.repeat(64) });
  await put(table, revocationKey('revoked', 0), {
    ...{ revoked_of: 'revoked', revoked_generation: 0, revoked_at: 1 },
    ...{ revoked_by: 'admin', revoked_in: 'request' },
  });
  // A renamed and a deleted team, with a member.
  const teams = ['renamed', 'deleted', 'successor'].map((team_short, n) => ({
    ...{ team_id: uuidv7(), team_short, team_name: team_short, team_type: 'internal' },
    ...(n < 2 && { changed_at: 1 }),
    ...(team_short === 'deleted' && { successor: 'successor' }),
  }));
  for (const team of teams) await put(table, teamKey(team.team_short), team);
  const memberships = teams.slice(0, 2).map(({ team_id, team_short, team_type }) => ({
    ...{ team_id, team_short, team_name: 'former', team_type, teamuser_lvl: null },
  }));
  const member = accountItem({ username: 'member', teams: memberships });
  await put(table, accountKey('member'), { ...directoryIndex('member'), ...member });
  // An erasure whose call was cut off, and a dead-lettered event that names the account.
  await leaveTraces(table, { username: 'erased' });
  await put(table, erasureKey('0-erased'), {
    ...{ erasing_username: 'erased', erased_at: '2026-01-01T00:00:00.000Z' },
    ...{ erasing_generation: 0, erasing_passkeys: [] },
  });
  const named = { id: uuidv7(), createdAt: 1, setAsideAt: 1, user_cancel: '{"username":"erased"}' };
  await put(table, outboxKey(named.id), named);
}

/** Copies a team from an account to another one, and deletes a team that has no members. */
async function joinTeams(admin: Call) {
  const post = async (path: string, json: object = {}) => {
    const reply = await call('POST', `/api/core/${path}`, { ...admin, json });
    expect(reply.status, reply.text).toBe(200);
  };
  for (const short of ['joined', 'empty'])
    await post(`team/create/${short}`, { name: short, type: 'internal' });
  await post('account/create', { username: 'joining', teams: ['joined'] });
  await post('account/create', { username: 'following' });
  await post('account/copy/joining/following');
  await post('team/delete/empty');
}

/** The first hashes of functions that write the check value of the erasure key, on a table that has none. */
async function keepErasureKey({ table }: Runtime, admin: Call) {
  const post = async (path: string, json?: object) => {
    const reply = await call('POST', `/api/core/account/${path}`, { ...admin, ...(json && { json }) });
    expect(reply.status, reply.text).toBe(200);
  };
  await remove(table, erasureKeyCheckKey);
  await post('create', { username: 'first' });
  await post('cancel/first');
  await remove(table, erasureKeyCheckKey);
  await post('erase/first');
}

/** Removes the entries of refusals from the table, as if their lines had not reached it. */
async function loseRefusals({ runtime: { table } }: Target) {
  const ranges = auditRanges(new Date().toISOString().slice(0, 7), { after: '2', before: '3' });
  const items = (await Promise.all(ranges.map((range) => query(table, range)))).flat();
  for (const item of items as (AuditItem & Key<AuditItem>)[])
    if (item.count !== undefined) await remove(table, { PK: item.PK, SK: item.SK } as Key<AuditItem>);
}

/** Erases an account that has everything that an account can have, and creates one with its name again. */
async function eraseEverything({ runtime }: Target, admin: Call) {
  const username = 'everything';
  const account = await createAccount(runtime, { username });
  await leaveTraces(runtime.table, account);
  const to = { never_used: false, lastActivity: withoutZone(Date.now()), token_generation: undefined };
  const Key = accountKey(username);
  const held = { passkeys: { laptop: 'of-everything' }, trusts: { deploy: 'of-everything' } };
  await update(runtime.table, { Key, ...assign({ ...to, ...held }, {}) });
  const until = new Date(Date.now() + DAY_MS).toISOString();
  const requests = [['lock', { until }], ['cancel'], ['erase'], ['erase']] as const;
  for (const [verb, json] of requests) {
    const reply = await call('POST', `/api/core/account/${verb}/${username}`, { ...admin, json });
    expect(reply.status, reply.text).toBe(200);
  }
  const again = await call('POST', '/api/core/account/create', { ...admin, json: { username } });
  expect(again.body.data.code).toBe('account_erased');
}

/**
 * Sends requests to each endpoint. The first two present unused tokens of an account that was not active today; the third
 * follows an idle minute. A session, which may have ended, sends two more. The last one names an impossible account.
 */
async function authenticateEverywhere(
  { runtime, actor }: Target,
  base: string,
  session: Call,
  password: string,
) {
  for (const [n, { id, path, access, accounts }] of contracts.entries()) {
    if (access === 'public' && id !== 'account.login') continue;
    const account = await createAccount(runtime, { username: `idle-${n}`, roles: [...EVERY_ROLE] });
    await setIdle(runtime, account.username);
    const { value: first } = await createToken(runtime, account, 'first', actor);
    const { value: second } = await createToken(runtime, account, 'second', actor);
    const [method, sent, request] = requestOf(id, { username: 'three', password });
    if (id === 'account.login') {
      const logIn = (value: unknown) =>
        call(method, sent, { base, json: { username: 'api', password: noted(value as string) } });
      for (const value of [first, second]) await logIn(value);
      await setIdle(runtime, account.username, 61_000);
      await logIn(second);
      continue;
    }
    for (const value of [first, second]) {
      await call(method, sent, { token: noted(value as string), base, ...request });
    }
    await setIdle(runtime, account.username, 61_000);
    await call(method, sent, { token: second as string, base, ...request });
    await call(method, sent, { ...session, ...request });
    if (accounts) await call(method, path.replace(/\{\w+\??\}/g, 'no%20name'), session);
  }
}

const setIdle = ({ table }: Runtime, username: string, ms = 3 * 86_400_000) =>
  update(table, { Key: accountKey(username), ...assign({ lastActivity: withoutZone(Date.now() - ms) }, {}) });

/**
 * Requests of the registry, each about an account of its own that has a token. In sequence, a function needs one thread.
 */
async function requestEverything(target: Target, base: string, admin: Call) {
  const { runtime, actor } = target;
  for (const { id } of contracts)
    for (const [n, sample] of samplesOf(id).entries()) {
      const account = await createAccount(runtime, { username: `for-${id}-${n}`, roles: ['sys_tokens'] });
      await storedSession(runtime.table, account);
      const { value } = await createToken(runtime, account, 'held', actor);
      const json = { username: 'api', password: value };
      const session =
        sample.presents === 'session' && (await call('POST', '/api/core/account/login', { base, json }));
      const presented = noted(session ? session.body.data.JWTtoken : (value as string));
      const names = { username: account.username, password: 'none', source: 'one', presented };
      await prepare(id, names, admin, sample, target);
      const own = { base, token: noted(value as string) };
      const [method, path, content] = requestOf(id, names, sample);
      // The second time, most have nothing left to change.
      for (const credential of [sample.own ? own : admin, sample.own ? own : admin])
        await call(method, path, { ...credential, ...content });
    }
}

/** Logins of all kinds: of another cost, in parallel, locked out, with a former or imported hash, after attempts that hang. */
async function logInEveryWay({ runtime }: Target, login: LogIn, admin: Call, password: string) {
  const { table } = runtime;
  await put(table, attemptsOnNameKey('two'), { attempts: failures(), revision: 1 });
  for (let n = 0; n <= PER_PAIR.max; n++) await login('two', 'wrong-password');
  for (const username of ['two', 'admin']) await call('POST', `/api/core/account/unlock/${username}`, admin);
  await lockForATime(runtime, 'three', undefined, Date.now());
  for (const verb of ['lock', 'unlock']) await call('POST', `/api/core/account/${verb}/three`, admin);
  const { hash } = (await readItem(table, passwordKey('two'))) as Password;
  const identity = [0, 1, 2].map((prf) => identityV3(password, { prf, iterations: 1000 }));
  for (const imported of [hash.replace('$2b', '$2y'), ...identity]) {
    await put(table, passwordKey('two'), { hash: imported });
    await remove(table, passwordCostKey);
    expect((await login('two', password)).status).toBe(200);
  }
  const { value } = (await call('POST', '/api/core/token/create/fresh/one', admin)).body.data;
  await setIdle(runtime, 'one');
  await login('api', noted(value as string));
  const key = attemptsOfPairKey('nobody', '127.0.0.1');
  await heldUp(table, 'account.login', key, () => login('nobody', 'wrong-password'));
}

/** Attempts on a name hang, and the next one waits until they count as failures; again while it comes too late. */
async function heldUp(
  table: Table,
  sender: string,
  key: ReturnType<typeof attemptsOfPairKey>,
  attempt: () => ReturnType<LogIn>,
  max = PER_PAIR.max,
) {
  const reads = () =>
    watched.proxy.commands.filter(
      (one) => one.sender === sender && one.operation === 'GetItem' && one.needs[0]?.endsWith(':ATTEMPTS'),
    ).length;
  const before = reads();
  await expect
    .poll(async () => {
      const pending = { at: Date.now() - 12_500, from: '127.0.0.1', pending: true } as const;
      const attempts = Array.from({ length: max }, (_, n) => ({ ...pending, id: `${n}` }));
      await put(table, key, { attempts, revision: 1 });
      expect((await attempt()).status).toBe(429);
      return reads();
    })
    .toBeGreaterThan(before);
}

/**
 * Tokens with every limit, of an account of an earlier version, whose names are in both places; and deletions that end
 * more secrets than an account lists.
 */
async function limitTokens({ runtime, actor }: Target, base: string, admin: Call) {
  const { table } = runtime;
  const username = 'former';
  const account = await createAccount(runtime, { username, roles: ['sys_administrator', 'sys_tokens'] });
  const { value } = await createToken(runtime, account, 'first', actor);
  const until = Math.ceil(Date.now() / 1000) + 3600;
  const crowd = () => {
    const ended = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`${n}`, { at: 0, until }]));
    return update(table, { Key: accountKey(username), ...assign({ names_apart: undefined, ended }, {}) });
  };
  const terms = { access: 'read', description: 'x', expires_in_days: 30, roles: [], addresses: ['::1'] };
  const post = async (path: string, json: object = {}, headers = {}) => {
    const reply = await call('POST', `/api/core/token/${path}`, { base, token: noted(value), json, headers });
    expect(reply.status, reply.text).toBe(200);
    return hashApiToken(noted(String(reply.body.data.value)));
  };
  const opened = (sha256: string) =>
    update(table, { Key: tokenKey(sha256), ...assign({ session_until: until }, {}) });
  const former = (name: string, sha256: string) => put(table, formerTokenNameKey(username, name), { sha256 });
  const login = { base, json: { username: 'api', password: value } };
  const { data } = (await call('POST', '/api/core/account/login', login)).body;
  const session = { base, jwt: noted(data.JWTtoken) };
  const bySession = async (...paths: string[]) => {
    for (const path of paths) {
      const reply = await call('POST', `/api/core/${path}`, session);
      expect(reply.status, reply.text).toBe(200);
      noted(reply.body.data.value ?? '');
    }
  };
  await bySession('token/own/a', `token/create/b/${username}`, 'token/create/logintoken');
  await bySession(`token/rotate/a/${username}`);
  await crowd();
  for (let n = 0; n < 2; n++) await opened(await post('own/made', terms, { 'idempotency-key': 'own' }));
  for (let n = 0; n < 2; n++)
    await post(`rotate/made/${username}`, { overlap_minutes: 1 }, { 'idempotency-key': 'rotated' });
  // More secrets have ended than the account lists.
  await bySession(
    'token/own/by-session',
    `token/create/of-session/${username}`,
    'token/create/of-session/one',
  );
  await bySession('token/create/logintoken', `token/rotate/by-session/${username}`, 'account/code/one');
  await post(`delete/logintoken/${username}`);
  await call('POST', '/api/core/account/create', { ...session, json: { username: 'by-session' } });
  const id = await storedSession(table, (await readItem(table, accountKey(username))) as Account);
  await call('POST', `/api/core/account/sessions/end/${id}/${username}`, admin);
  await call('GET', `/api/core/account/export/${username}`, admin);
  await former('moved-by-rotation', await post('own/moved-by-rotation'));
  await remove(table, tokenNameKey(username, 'moved-by-rotation'));
  await post(`rotate/moved-by-rotation/${username}`);
  await crowd();
  await opened(await post(`create/other/${username}`, terms, { 'idempotency-key': 'other' }));
  await post(`delete/other/${username}`);
  await crowd();
  await opened(await post('create/logintoken', terms));
  const replaced = await post('create/logintoken');
  await remove(table, tokenNameKey(username, 'logintoken'));
  await former('logintoken', replaced);
  await post('create/logintoken');
  for (const name of ['old', 'older']) await former(name, replaced);
  await post(`delete/old/${username}`);
  const revoke = async (name: string, first: (sha256: string) => Promise<unknown>) => {
    const reply = await call('POST', `/api/core/token/own/${name}`, {
      base,
      token: noted(value),
      json: terms,
    });
    const secret = noted(String(reply.body.data.value));
    await first(hashApiToken(secret));
    await call('POST', '/api/core/oauth/revoke', { base, token: noted(value), form: { token: secret } });
  };
  await crowd();
  await revoke('ending', opened);
  await revoke('moved', async (sha256) => {
    await remove(table, tokenNameKey(username, 'moved'));
    await former('moved', sha256);
  });
  for (const path of ['', `/${username}`])
    await call('GET', `/api/core/token/user${path}`, { base, token: noted(value) });
  const again = await createToken(runtime, account, 'again', actor, { expires_at: until * 1000 });
  await opened(hashApiToken(noted(again.value)));
  await crowd();
  await call('POST', `/api/core/token/revoke/${username}`, admin);
  await useNextGeneration({ runtime, actor }, base, username);
  const cancelled = await createAccount(runtime, { username: 'former-cancelled' });
  await update(table, { Key: accountKey(cancelled.username), ...assign({ names_apart: undefined }, {}) });
  await put(table, formerTokenNameKey(cancelled.username, 'old'), { sha256: replaced });
  for (const [verb, json] of [['cancel'], ['reactivate', { revoke_tokens: true }]] as const)
    await call('POST', `/api/core/account/${verb}/${cancelled.username}`, { ...admin, json });
  noted((await createToken(runtime, account, 'left', actor, { expires_at: until * 1000 })).value);
  await former('old', replaced);
  for (const verb of ['cancel', 'reactivate'])
    await call('POST', `/api/core/account/${verb}/${username}`, {
      ...admin,
      ...(verb === 'reactivate' && { json: { revoke_tokens: true } }),
    });
}

/** Creations of tokens and a session after a revocation, and a revocation of all by one of them. */
async function useNextGeneration(
  { runtime, actor }: Pick<Target, 'runtime' | 'actor'>,
  base: string,
  username: string,
) {
  const owner = (await readItem(runtime.table, accountKey(username))) as Account;
  const token = noted((await createToken(runtime, owner, 'next', actor)).value as string);
  for (const path of ['own/a', `create/b/${username}`, 'create/logintoken', `rotate/a/${username}`]) {
    const reply = await call('POST', `/api/core/token/${path}`, { base, token });
    expect(reply.status, reply.text).toBe(200);
    noted(reply.body.data.value);
  }
  const json = { username: 'api', password: token };
  noted((await call('POST', '/api/core/account/login', { base, json })).body.data.JWTtoken);
  const form = { grant_type: GRANT_TYPES.client, client_secret: token };
  expect((await call('POST', '/api/core/oauth/token', { base, form })).status).toBe(200);
  const revoked = await call('POST', `/api/core/token/revoke/${username}`, { base, token });
  expect(revoked.status, revoked.text).toBe(200);
}

/** New passwords of both kinds: in place of its own or an imported hash, and refused until the name is locked out. */
async function changePasswordsEveryWay({ runtime }: Target, admin: Call, password: string) {
  const { table } = runtime;
  const { base } = admin as { base: string };
  const change = (json: object, credential: Call = { base }) =>
    call('POST', '/api/core/account/password', { ...credential, json: { new_password: password, ...json } });
  const old = noted('the-first-password');
  let five: Call = { base };
  for (const username of ['four', 'five']) {
    const account = await createAccount(runtime, { username, password: old });
    const { hash } = (await readItem(table, passwordKey(username))) as Password;
    await setIdle(runtime, username);
    const { value } = await createToken(runtime, account, 'own', { by: 'test', requestId: '' });
    await remove(table, passwordCostKey);
    const { code } = (await call('POST', `/api/core/account/code/${username}`, admin)).body.data;
    const form =
      username === 'four'
        ? { username, code: noted(code as string) }
        : { current_password: old, end_codes: true };
    const own = username === 'four' ? { base } : { base, token: noted(value as string) };
    if (username === 'five') five = own;
    expect((await change(form, own)).status).toBe(200);
    const identity = [0, 1, 2].map((prf) => identityV3(old, { prf, iterations: 1000 }));
    for (const imported of username === 'four' ? [] : [hash.replace('$2b', '$2y'), ...identity]) {
      await put(table, passwordKey(username), { hash: imported });
      await remove(table, passwordCostKey);
      expect((await change(form, own)).status).toBe(200);
    }
  }
  await put(table, attemptsOnNameKey('five'), { attempts: failures(), revision: 1 });
  await put(table, attemptsOfPairKey('five', '127.0.0.1'), { attempts: [], revision: 100 });
  for (let n = 0; n < 8; n++) await change({ current_password: noted('not-the-password') }, five);
  const guess = { username: 'nobody-else', code: '0' };
  const key = codeAttemptsOfPairKey(guess.username, '127.0.0.1');
  await heldUp(table, 'account.password', key, () => change(guess));
}

type LogIn = (username: string, secret: string) => Promise<{ status: number }>;

test('every function has exactly the grants that it uses on all paths of a request', async () => {
  const { instance } = watched;
  const operated = await openTarget(watched);
  const { runtime } = operated;
  const password = noted('the-password-of-the-grants');
  for (const username of ['one', 'two', 'three'])
    await createAccount(runtime, {
      username,
      password,
      roles: username === 'one' ? [...EVERY_ROLE] : ['sys_tokens'],
    });
  await giveEveryRole(runtime);
  const base = instance.ready.url;
  const admin: Call = { token: noted(instance.ready.admin.token as string), base };
  const login = (username: string, secret: string) =>
    call('POST', '/api/core/account/login', { base, json: { username, password: secret } });
  // Its first login of the day, with a password of another cost, and in parallel with others.
  await setIdle(runtime, 'one');
  const logins = await Promise.all(Array.from({ length: 8 }, () => login('one', password)));
  const jwt = noted(logins.find(({ status }) => status === 200)?.body.data.JWTtoken as string);
  const session: Call = { jwt, base };
  const post = (path: string, request: Call = admin) => call('POST', `/api/core/${path}`, request);
  const get = (path: string, request: Call = admin) => call('GET', `/api/core/${path}`, request);

  await keepErasureKey(runtime, admin);
  await logInEveryWay(operated, login, admin, password);
  await changePasswordsEveryWay(operated, admin, password);
  // Cancelled accounts with tokens and without.
  await post('token/create/revoked/two');
  for (const username of ['two', 'three']) await post(`account/cancel/${username}`);
  await get('account/browse?cancelled_since=2026-01-01T00:00:00Z');
  await post('account/reactivate/two', { ...admin, json: { revoke_tokens: true } });
  await post('account/reactivate/three');
  const asRead = { ...session, headers: { 'if-match': '*' } };
  for (const json of [{ user_short: 'A' }, { user_properties: { a: 2 } }])
    await post('account/profile-update', { ...asRead, json });
  for (const path of ['account/browse', 'audit/browse', 'token/browse']) {
    await remove(runtime.table, cursorSecretKey);
    const { next_cursor } = (await get(`${path}?limit=1`)).body.data;
    await get(`${path}?cursor=${next_cursor}`);
  }
  await remove(runtime.table, cursorSecretKey);
  await get('account/export');
  const repeatable = { ...admin, headers: { 'idempotency-key': 'a-key' } };
  for (let n = 0; n < 2; n++) await post('token/create/again/one', repeatable);
  const newAccount = { ...repeatable, headers: { 'idempotency-key': 'another' }, json: { username: 'new' } };
  for (let n = 0; n < 2; n++) await post('account/create', newAccount);
  await post('account/create', { ...admin, json: { username: 'in-a-team', teams: ['unknown'] } });
  // The index may be behind.
  await put(runtime.table, tokenNameKey('one', 'new'), { sha256: '0'.repeat(64) });
  await get('token/user', session);
  // An administrator that gives up its own role searches for another one.
  const leaver = await createAccount(runtime, { username: 'leaver', roles: ['sys_administrator'] });
  const own = noted((await createToken(runtime, leaver, 'own', operated.actor)).value);
  const leaving = { base, token: own, json: { remove: { roles: ['sys_administrator'] } } };
  expect((await post('account/access/leaver', leaving)).status).toBe(200);
  // Comes first: a function reads the secret of its cursors once.
  const signInAgain = await useTrusts(operated, instance, password);
  await requestEverything(operated, base, admin);
  await refuseEarlier(operated, base, password, 'two');
  await endPasskeys(operated, admin, password);
  const assertAgain = await usePasskeys(operated, base, password);
  await heldUp(
    runtime.table,
    'account.passkey-assert',
    passkeyAttemptsFromAddressKey('127.0.0.1'),
    assertAgain,
    PER_ADDRESS.max,
  );
  await limitTokens(operated, base, admin);
  await eraseEverything(operated, admin);
  await loseRefusals(operated);
  await operated.refill({ source: 'functions', since: 0, until: Date.now() });
  await joinTeams(admin);
  const narrow = await createToken(runtime, leaver, 'narrow', operated.actor, { roles: [] });
  await get('account/logout', { base, token: noted(narrow.value) });
  // The ends of more sessions than its account lists are read in every request.
  const ended_until = Math.ceil(Date.now() / 1000) + 3600;
  await update(runtime.table, { Key: accountKey('one'), ...assign({ ended_until }, {}) });
  await authenticateEverywhere(operated, base, session, password);
  // A table restored from before the last rotation lacks the key.
  const { kid = '' } = decodeProtectedHeader(jwt);
  const guess = (username: string) => ({ json: { username, code: '0', new_password: password }, base });
  const key = publicKeyItemKey(kid);
  const signInForOrders = () => signInAgain({ resource: ORDERS });
  const { kid: other = '' } = decodeProtectedHeader(await signInForOrders());
  const uses: readonly [Key<PublicKeyItem>, () => Promise<unknown>][] = [
    [key, () => login('one', password)],
    [key, () => post('account/password', guess(uniqueName('unknown')))],
    [key, assertAgain],
    [key, signInAgain],
    [resourceKeyItemKey(other), signInForOrders],
  ];
  for (const [itemKey, use] of uses) {
    await remove(runtime.table, itemKey);
    const published = () => use().then(() => readItem(runtime.table, itemKey));
    await expect.poll(published, { interval: 1000 }).toBeDefined();
  }

  const policies = await loadPolicies(REGION, TABLE);
  const granted = new Map([...policies].map(([id, statements]) => [id, new Set(grantedBy(statements))]));
  const pairs = () => {
    const done = new Map(functions.map(({ id }) => [id as string, new Set<string>()]));
    for (const command of wires.flatMap(({ commands }) => commands))
      if (command.sender !== undefined)
        for (const need of neededBy(command)) done.get(command.sender)?.add(need);
    const beyond = (all: Pairs, others: Pairs, meets = (need: string) => need) =>
      [...all].flatMap(([id, needs]) =>
        [...needs].flatMap((need) =>
          others.get(id)?.has(need) || others.get(id)?.has(meets(need)) ? [] : `${id} ${need}`,
        ),
      );
    return {
      refused: instance.output().match(/^denied .*$/gm) ?? [],
      // A permission for a write alone covers it in a transaction.
      missing: beyond(done, granted, (need) => need.replace(/^transaction:/, 'table:')),
      unused: beyond(granted, done),
    };
  };
  await expect.poll(pairs, { interval: 500 }).toEqual({ refused: [], missing: [], unused: [] });
});

type Pairs = ReadonlyMap<string, ReadonlySet<string>>;
