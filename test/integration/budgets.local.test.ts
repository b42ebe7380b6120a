import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createAccount } from '#lib/account/create';
import { inParallel } from '#lib/async/in-parallel';
import { storeEntries } from '#lib/audit/store';
import { FUNCTIONS } from '#lib/audit/streams';
import { contracts } from '#lib/routes';
import { assign } from '#lib/table/expressions';
import { accountKey, SHARDS, tokenKey } from '#lib/table/keys';
import { update } from '#lib/table/write';
import { HOUR_MS, isoOf, withoutZone } from '#lib/time';
import { generateApiToken, hashApiToken } from '#lib/token/secret';
import { openTarget, type Target } from '../../infra/admin/target.ts';
import { newAuthenticator } from '../authenticator.ts';
import { entryAt, lineOf } from '../unit/audit/history.ts';
import { storedSession } from '../unit/support/items.ts';
import { DOWN, roundTrips } from '../wire/dynamodb-proxy.ts';
import {
  BUDGETS,
  type Budget,
  budgetOf,
  commandsDuring,
  expectBudget,
  isRead,
  operations,
  sum,
} from './budget.ts';
import { giveEveryRole } from './every-role.ts';
import { setLastActive } from './last-active.ts';
import { requestOf, type Sample, samplesOf } from './requests.ts';
import { type Call, call, noted, prepare, uniqueName } from './service.ts';
import { startWatchedInstance } from './watched-instance.ts';

/** Accounts that no request is about: no budget depends on their number. */
const OTHERS = 300;

let watched: Awaited<ReturnType<typeof startWatchedInstance>>;
let proxy: typeof watched.proxy;
let target: Target;
let token: string;
let jwt: string;
const password = noted('the-administrator-of-the-budgets');

const send = (method: string, path: string, request: Call = {}) =>
  call(method, path, { base: watched.instance.ready.url, ...request });

async function logIn(credentials: object = { username: 'admin', password }): Promise<string> {
  const reply = await send('POST', '/api/core/account/login', { json: credentials });
  return noted(reply.body.data.JWTtoken);
}

const createToken = async (name: string, username: string) => {
  const reply = await send('POST', `/api/core/token/create/${name}/${username}`, { token });
  return noted(reply.body.data.value as string);
};

beforeAll(async () => {
  watched = await startWatchedInstance({ args: [], env: { ADMIN_PASSWORD: password } });
  proxy = watched.proxy;
  target = await openTarget(watched);
  token = noted(watched.instance.ready.admin.token as string);
  await giveEveryRole(target.runtime);
  jwt = await logIn();
  const others = Array.from({ length: OTHERS }, (_, n) => `other-${n}`);
  await inParallel(others, (username) => createAccount(target.runtime, { username }), 16);
  await useLater();
});

/** Sets the last use of the administrator and its token an hour ahead: no request records one, at whatever second it comes. */
async function useLater(): Promise<void> {
  const { table } = target.runtime;
  const later = Date.now() + HOUR_MS;
  await setLastActive(table, 'admin', later);
  const Key = tokenKey(hashApiToken(token));
  await update(table, { Key, ...assign({ token_used_at: withoutZone(later) }, {}) });
}

/** Time by which each answer of DynamoDB is delayed, so that parallel commands overlap visibly. */
let overlapMs: number;

beforeEach(({ task }) => {
  proxy.script(() => undefined);
  overlapMs = 20 * 2 ** (task.result?.retryCount ?? 0);
});

afterAll(() => watched.stop());

/** The commands of a request, except the read of the keys once in five seconds. */
const commandsOf = (method: string, path: string, request: Call, status = 200) =>
  commandsDuring(proxy, overlapMs, () => send(method, path, request), status);

/** A credential of an account whose use is recorded: the session of a token, or the token. */
async function usedCredential({ presents }: Sample, username: string): Promise<string> {
  const token = await createToken('laptop', username);
  await send('GET', '/api/core/system/ping', { token });
  return presents === 'session' ? logIn({ username: 'api', password: token }) : token;
}

/** The cost of a request of an endpoint, such as `account.context, own`, about an account of its own or the caller. */
async function costOf(key: string): Promise<Budget> {
  const [id = '', name] = key.split(', ');
  const sample = samplesOf(id).find((each) => each.name === name);
  const account = await createAccount(target.runtime, { username: uniqueName(), apps: ['x', 'core'] });
  const { username } = account;
  await storedSession(target.runtime.table, account);
  const names = { username, ...(sample?.presents && { presented: await usedCredential(sample, username) }) };
  await prepare(id, names, { jwt, base: watched.instance.ready.url }, sample, target);
  // A repeat that changes nothing would write to no index.
  const former = assign({ user_app_name: 'x', user_color: '#000000' }, {});
  if (sample?.own) await update(target.runtime.table, { Key: accountKey('admin'), ...former });
  const [method, path, content] = requestOf(id, names, sample);
  const commands = await commandsOf(method, path, { jwt, ...content });
  if (id === 'account.logout') jwt = await logIn();
  return budgetOf(commands);
}

/** These need a password, or a device. */
const APART = ['account.login', 'account.password', 'account.passkey-assert', 'account.passkey-create'];

/** Not of a usual request, or measured in another file. */
const isWorst = (key: string) => / (unknown|60 kB|platform) /.test(key);

/** The entries of a month are a partition of their own. */
const BY_MONTH = 'audit.browse, of every target';

const measured = Object.keys(BUDGETS).filter((key) => ![...APART, BY_MONTH].includes(key) && !isWorst(key));

// On a busy machine, commands that are sent side by side may seem to follow each other; never the other way round.
const RETRY = { retry: 4 };

/** IDs of the functions that have answered a request like the measured ones. */
const warm = new Set<string>();

test.each(measured)('%s stays within its budget', RETRY, async (key) => {
  const [id = ''] = key.split(', ');
  if (!warm.has(id)) await costOf(key);
  warm.add(id);
  expectBudget(key, await costOf(key));
});

const withoutBudget = contracts
  .map(({ id }) => id)
  .filter((id) => ![...APART, ...Object.keys(BUDGETS)].includes(id));

test.each(withoutBudget)('%s has a budget', async (id) => {
  await costOf(id);
  expectBudget(id, await costOf(id));
});

test(`${BY_MONTH} stays within its budget`, RETRY, async () => {
  // The present month may have begun just now, or end before the request.
  const today = new Date();
  const time = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 1, 15);
  await storeEntries(
    target.runtime,
    FUNCTIONS,
    [0, 1, 2].map((n) => lineOf(entryAt(time + n, n))),
  );
  const path = `/api/core/audit/browse?limit=2&since=${isoOf(time)}&until=${isoOf(time + 2)}`;
  await send('GET', path, { jwt });
  expectBudget(BY_MONTH, budgetOf(await commandsOf('GET', path, { jwt })));
});

test('the first session in five seconds costs a look-up of the keys in parallel, of one unit', async () => {
  const lookUp = async () => {
    await commandsOf('GET', '/api/core/system/uuid', { jwt });
    return [
      roundTrips(proxy.commands),
      ...proxy.commands.map(({ operation, units }) => `${operation} ${units}`),
    ];
  };
  const expected = [1, 'GetItem 1', 'Query 1'];
  await expect.poll(async () => (await lookUp()).toSorted()).toEqual(expected);
});

test('an exchange of a session for another service costs what a request with it costs', RETRY, async () => {
  const key = 'oauth.token, by a session for another service';
  const exchange = () => {
    const sample = samplesOf('oauth.token').find(({ name }) => key.endsWith(`${name}`));
    const [method, path, content] = requestOf('oauth.token', { username: 'admin', presented: jwt }, sample);
    return commandsOf(method, path, { ...content });
  };
  await exchange();
  const ping = () => commandsOf('GET', '/api/core/system/ping', { jwt });
  await ping();
  expect(budgetOf(await exchange())).toEqual(budgetOf(await ping()));
});

test('a credential that is an API token costs one read of two items', async () => {
  await send('GET', '/api/core/system/ping', { token });
  const commands = await commandsOf('GET', '/api/core/system/ping', { token });
  expect([operations(commands), sum(commands)]).toEqual([['BatchGetItem'], 2]);
});

test('a credential without its form costs nothing', async () => {
  for (const request of [{ token: `${token.slice(0, -1)}_` }, { jwt: `${jwt}x` }, {}])
    expect(await commandsOf('GET', '/api/core/system/ping', request, 401)).toEqual([]);
});

test('a credential costs one write at its first use, and none at the next', async () => {
  const fresh = await createToken(uniqueName(), 'admin');
  await send('GET', '/api/core/system/ping', { token });
  for (const expected of [['GetItem', 'GetItem', 'UpdateItem'], ['BatchGetItem']])
    expect(operations(await commandsOf('GET', '/api/core/system/ping', { token: fresh }))).toEqual(expected);
});

test('a credential costs no write in other functions within the minute', async () => {
  await send('GET', '/api/core/system/ping', { jwt });
  for (const path of ['system/uuid', 'system', 'token/user', 'account/profile'])
    expect((await commandsOf('GET', `/api/core/${path}`, { jwt })).filter((each) => !isRead(each))).toEqual(
      [],
    );
});

test.each([
  ['from a known address', () => 'admin', 1, 200],
  ['from an unknown address', uniqueName, 3, 401],
])('a login %s takes three round trips', RETRY, async (_, nameOf, lists, status) => {
  const username = nameOf();
  const login = { json: { username, password } };
  await send('POST', '/api/core/account/login', login);
  const commands = await commandsOf('POST', '/api/core/account/login', login, status);
  const recorded = status === 200 ? ['PutItem'] : [];
  expect(operations(commands)).toEqual(['BatchGetItem', ...Array(2 * lists).fill('PutItem'), ...recorded]);
  expect(roundTrips(commands)).toBe(3);
  expectBudget(status === 200 ? 'account.login' : 'account.login, of an unknown name', budgetOf(commands));
});

test('an assertion takes one round trip more than a login, and a new passkey two', RETRY, async () => {
  const username = uniqueName();
  await createAccount(target.runtime, { username, password });
  const origin = watched.instance.ready.url.replace('127.0.0.1', 'localhost');
  const ask = async (json: object, own?: string) =>
    (await send('POST', '/api/core/account/passkey/options', { json, ...(own && { jwt: own }) })).body.data
      .options;
  let own = await logIn({ username, password });
  let device = newAuthenticator();
  for (const name of ['first', 'second']) {
    device = newAuthenticator();
    const credential = device.create(await ask({ purpose: 'create' }, own), { origin });
    await send('GET', '/api/core/system/ping', { jwt: own });
    const path = `/api/core/account/passkey/create/${name}`;
    const commands = await commandsOf('POST', path, { jwt: own, json: { credential } });
    if (name === 'second') expectBudget('account.passkey-create', budgetOf(commands));
    const assert = async () => {
      const json = { credential: device.get(await ask({ purpose: 'assert' }), { origin }) };
      return commandsOf('POST', '/api/core/account/passkey/assert', { json });
    };
    await assert();
    if (name === 'second') expectBudget('account.passkey-assert', budgetOf(await assert()));
    const json = { credential: device.get(await ask({ purpose: 'assert' }), { origin }) };
    own = noted((await send('POST', '/api/core/account/passkey/assert', { json })).body.data.JWTtoken);
  }
});

test('a code of an unknown name stays within its budget', RETRY, async () => {
  const json = {
    username: uniqueName(),
    code: 'A'.repeat(12),
    new_password: noted('a-newer-password'),
  };
  const path = '/api/core/account/password';
  await send('POST', path, { json });
  const commands = await commandsOf('POST', path, { json }, 401);
  expectBudget('account.password, with a code of an unknown name', budgetOf(commands));
});

test('an unknown token stays within its budget', async () => {
  const commands = await commandsOf(
    'GET',
    '/api/core/system/ping',
    { token: noted(generateApiToken(randomBytes)) },
    401,
  );
  expectBudget('system.ping, with an unknown token', budgetOf(commands));
});

test('the largest properties stay within their budget', async () => {
  const note = (first: string) => ({ user_properties: { root: { notes: [first.padEnd(60_000, 'x')] } } });
  await send('POST', '/api/core/account/profile-update', { jwt, json: note('a') });
  const commands = await commandsOf('POST', '/api/core/account/profile-update', { jwt, json: note('b') });
  // Other requests read the profile of the administrator, too.
  const few = { user_properties: { root: { desk: '4.12' } } };
  await send('POST', '/api/core/account/profile-update', { jwt, json: few });
  expectBudget('account.profile-update, own 60 kB of properties', budgetOf(commands));
});

test('a login with an API token takes two round trips when its owner is cached', RETRY, async () => {
  const login = { json: { username: 'api', password: token } };
  await send('POST', '/api/core/account/login', login);
  const commands = await commandsOf('POST', '/api/core/account/login', login);
  expect([operations(commands), roundTrips(commands)]).toEqual([['BatchGetItem', 'PutItem'], 2]);
});

test('a new password from a known address takes five round trips', RETRY, async () => {
  const username = uniqueName();
  await createAccount(target.runtime, { username, password });
  for (const new_password of ['a-new-password', 'a-newer-password']) {
    const current_password = new_password === 'a-new-password' ? password : 'a-new-password';
    const own = await logIn({ username, password: current_password });
    await send('GET', '/api/core/system/ping', { jwt: own });
    const json = { current_password, new_password: noted(new_password) };
    const commands = await commandsOf('POST', '/api/core/account/password', { jwt: own, json });
    if (new_password === 'a-newer-password') expectBudget('account.password', budgetOf(commands));
  }
});

/** The nouns of listings with their queries: that of tokens also reads the revocations. */
const QUERIES = [
  ['account', SHARDS],
  ['token', SHARDS + 1],
] as const;
test.each(QUERIES)('a later page of %s/browse is read in one round', RETRY, async (noun, queries) => {
  for (const name of [uniqueName(), uniqueName()]) await createToken(name, 'admin');
  const browse = `/api/core/${noun}/browse?limit=1`;
  const { next_cursor } = (await send('GET', browse, { jwt })).body.data;
  await send('GET', `${browse}&cursor=${next_cursor}`, { jwt });
  const commands = await commandsOf('GET', `${browse}&cursor=${next_cursor}`, { jwt });
  expect(roundTrips(commands)).toBe(2);
  expect(operations(commands).toSorted()).toEqual(['GetItem', ...Array(queries).fill('Query')]);
});

test('while DynamoDB is down, known sessions are answered where nothing is read or written', async () => {
  await send('GET', '/api/core/system/ping', { jwt });
  proxy.script(() => DOWN);
  expect((await send('GET', '/api/core/system/ping', { jwt })).status).toBe(200);
  const reply = await send('GET', '/api/core/system/ping', { token });
  expect([reply.status, reply.code]).toEqual([503, 'unavailable']);
  expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await send('GET', '/api/core/account/profile', { jwt })).status).toBe(503);
  const login = { json: { username: 'x', password: 'y' } };
  expect((await send('POST', '/api/core/account/login', login)).status).toBe(503);
});
