import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { authenticator } from '#lib/auth/authenticate';
import { SHARDS } from '#lib/table/keys';
import { openTarget } from '../../infra/admin/target.ts';
import { COLLISION, type Command, DOWN, type Fault, roundTrips } from '../wire/dynamodb-proxy.ts';
import { type Call, call, noted } from './service.ts';
import { startWatchedInstance } from './watched-instance.ts';

let watched: Awaited<ReturnType<typeof startWatchedInstance>>;
let proxy: typeof watched.proxy;
let token: string;
let jwt: string;
const password = noted('the-administrator-of-the-budgets');

const send = (method: string, path: string, request: Call = {}) =>
  call(method, path, { base: watched.instance.ready.url, ...request });

async function logIn(): Promise<string> {
  const reply = await send('POST', '/api/core/account/login', { json: { username: 'admin', password } });
  return noted(reply.body.data.JWTtoken);
}

beforeAll(async () => {
  watched = await startWatchedInstance({ delayMs: 60, args: [], env: { ADMIN_PASSWORD: password } });
  proxy = watched.proxy;
  token = noted(watched.instance.ready.admin.token as string);
  jwt = await logIn();
});

beforeEach(() => proxy.script(() => undefined));

afterAll(() => watched.stop());

/** All commands but the look at the keys that goes beside another read, once in five seconds. */
const counted = () => proxy.commands.filter(({ needs }) => !needs.includes('table:Query:KEYS'));

/** The commands of one request in an execution environment that has been warmed up by the same request. */
async function commandsOf(method: string, path: string, request: Call, status = 200): Promise<Command[]> {
  await send(method, path, request);
  await proxy.settled();
  proxy.commands.length = 0;
  const reply = await send(method, path, request);
  expect(reply.status, reply.text).toBe(status);
  await proxy.settled();
  return counted().map((command) => ({ ...command }));
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, n) => total + n, 0);

const operations = (commands: readonly Command[]) => commands.map(({ operation }) => operation);

describe('authentication', () => {
  const bare: [string, string, object?][] = [
    ['GET', '/api/core/system/ping'],
    ['GET', '/api/core/system/uuid'],
    ['GET', '/api/core/system/uuids?n=10'],
    ['GET', '/api/core/system'],
    ['POST', '/api/core/system/preview', { painput: 'x' }],
  ];

  test.each(bare)(
    'of a session is one strongly consistent read, and all that %s %s does',
    async (method, path, json) => {
      const commands = await commandsOf(method, path, { jwt, json });
      expect(operations(commands)).toEqual(['GetItem']);
      expect(commands[0]?.units).toBe(1);
    },
  );

  test.each(bare)(
    'of an API token is one read of two items, and all that %s %s does',
    async (method, path, json) => {
      const commands = await commandsOf(method, path, { token, json });
      expect(operations(commands)).toEqual(['BatchGetItem']);
      expect(commands[0]?.units).toBe(2);
    },
  );

  test('of a credential that has not even its form reads nothing', async () => {
    for (const request of [{ token: `${token.slice(0, -1)}_` }, { jwt: `${jwt}x` }, {}])
      expect(await commandsOf('GET', '/api/core/system/ping', request, 401)).toEqual([]);
  });
});

describe('sequential round trips, authentication with a session included', () => {
  test.each<[string, string, string, number, string[]]>([
    ['the own profile', 'GET', '/api/core/account/profile', 2, ['GetItem', 'GetItem']],
    ['another profile', 'GET', '/api/core/account/profile/admin', 2, ['BatchGetItem', 'GetItem']],
    ['a lock', 'POST', '/api/core/account/lock/{user}', 2, ['BatchGetItem', 'TransactWriteItems']],
    ['an unlock', 'POST', '/api/core/account/unlock/{user}', 2, ['BatchGetItem', 'TransactWriteItems']],
    ['a context', 'POST', '/api/core/account/context/core', 2, ['GetItem', 'UpdateItem']],
    [
      'a cancel',
      'POST',
      '/api/core/account/cancel/{user}',
      3,
      ['BatchGetItem', 'TransactWriteItems', 'DeleteItem'],
    ],
    [
      'a reactivation',
      'POST',
      '/api/core/account/reactivate/{user}',
      3,
      ['BatchGetItem', 'TransactWriteItems', 'DeleteItem'],
    ],
    ['a new token', 'POST', '/api/core/token/create/t-{n}/{user}', 2, ['BatchGetItem', 'TransactWriteItems']],
    ['a list of the own tokens', 'GET', '/api/core/token/user', 2, ['GetItem', 'Query', 'Query']],
    [
      'a list of the tokens of another',
      'GET',
      '/api/core/token/user/admin',
      2,
      ['BatchGetItem', 'Query', 'Query'],
    ],
  ])('%s', async (_, method, path, trips, expected) => {
    const [warm, user] = demoUsers.splice(0, 2) as [string, string];
    await send(method, path.replace('{user}', warm).replace('{n}', '0'), { jwt });
    if (path.includes('unlock')) await send('POST', `/api/core/account/lock/${user}`, { jwt });
    if (path.includes('reactivate')) await send('POST', `/api/core/account/cancel/${user}`, { jwt });
    await proxy.settled();
    proxy.commands.length = 0;
    const reply = await send(method, path.replace('{user}', user).replace('{n}', '1'), { jwt });
    expect(reply.status, reply.text).toBe(200);
    expect(operations(counted())).toEqual(expected);
    expect(roundTrips(counted())).toBe(trips);
    demoUsers.push(warm, user);
    for (const verb of ['unlock', 'reactivate'])
      await send('POST', `/api/core/account/${verb}/${warm}`, { jwt });
    for (const verb of ['unlock', 'reactivate'])
      await send('POST', `/api/core/account/${verb}/${user}`, { jwt });
  });

  test.each([
    ['from where it has logged in', 'admin', 1, 200],
    ['from elsewhere', 'nobody-who-was-here', 3, 401],
  ])(
    'a login %s reads once, and writes its places side by side, and after the hash its outcome',
    async (_, username, lists, status) => {
      const login = { json: { username, password } };
      const commands = await commandsOf('POST', '/api/core/account/login', login, status);
      expect(operations(commands)).toEqual(['BatchGetItem', ...Array(2 * lists).fill('PutItem')]);
      expect(roundTrips(commands)).toBe(3);
    },
  );

  test.each(['account', 'token'])(
    'each page of %s/browse is read in one round, the first with the statistics, which others repeat',
    async (noun) => {
      for (const name of ['one', 'two', 'three'])
        await send('POST', `/api/core/token/create/of-pages-${name}/admin`, { jwt });
      let cursor = '';
      for (const limit of ['', '?limit=1', '?limit=1']) {
        const statistics = noun === 'account' && cursor === '' ? ['BatchGetItem', 'Query'] : [];
        const path = `/api/core/${noun}/browse${limit}${cursor}`;
        const commands = await commandsOf('GET', path, { jwt });
        expect(roundTrips(commands)).toBe(2);
        expect(operations(commands).toSorted()).toEqual(
          ['GetItem', ...Array(SHARDS).fill('Query'), ...statistics].toSorted(),
        );
        // Each slice of a counter takes half a unit, the counters and the caller one each.
        const units = commands.filter(({ input }) => !('IndexName' in input)).map((each) => each.units);
        expect(sum(units)).toBe(statistics.length > 0 ? 64 / 2 + 2 : 1);
        const { next_cursor } = (await send('GET', path, { jwt })).body.data;
        cursor = next_cursor ? `&cursor=${next_cursor}` : '';
      }
      expect(cursor).not.toBe('');
    },
  );
});

describe('noting activity', () => {
  /** Makes the administrator look idle since some minutes, as far as today allows. */
  async function freshToken(): Promise<string> {
    const reply = await send(
      'POST',
      `/api/core/token/create/fresh-${Math.random().toString(36).slice(2)}/admin`,
      { token },
    );
    return noted(reply.body.data.value as string);
  }

  test('is one write at the first use of a token, and none at the next', async () => {
    const fresh = await freshToken();
    await send('GET', '/api/core/system/ping', { token });
    for (const expected of [['GetItem', 'GetItem', 'UpdateItem'], ['BatchGetItem']]) {
      proxy.commands.length = 0;
      expect((await send('GET', '/api/core/system/ping', { token: fresh })).status).toBe(200);
      expect(operations(proxy.commands)).toEqual(expected);
    }
  });

  test('is left to the function that comes first: others send nothing within the minute', async () => {
    await send('GET', '/api/core/system/ping', { jwt });
    proxy.commands.length = 0;
    const others = [
      '/api/core/system/uuid',
      '/api/core/system',
      '/api/core/token/user',
      '/api/core/account/profile',
    ];
    for (const path of others) expect((await send('GET', path, { jwt })).status).toBe(200);
    expect(operations(proxy.commands).filter((operation) => /Write|Update|Put/.test(operation))).toEqual([]);
  });

  test('fails no request when writes fail or hang', async () => {
    for (const failure of [DOWN, 'hang'] as const) {
      const fresh = await freshToken();
      await send('GET', '/api/core/system/ping', { token });
      proxy.script((operation) => (/Write|Update/.test(operation) ? failure : undefined));
      expect((await send('GET', '/api/core/system/ping', { token: fresh })).status).toBe(200);
      proxy.script(() => undefined);
    }
  });
});

describe('while DynamoDB is down', () => {
  test('a session that the execution environment knows is let in, an API token never', async () => {
    await send('GET', '/api/core/system/ping', { jwt });
    proxy.script(() => DOWN);
    expect((await send('GET', '/api/core/system/ping', { jwt })).status).toBe(200);
    const reply = await send('GET', '/api/core/system/ping', { token });
    expect(reply.status).toBe(503);
    expect(reply.code).toBe('unavailable');
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await send('GET', '/api/core/account/profile', { jwt })).status).toBe(503);
    expect(
      (await send('POST', '/api/core/account/login', { json: { username: 'x', password: 'y' } })).status,
    ).toBe(503);
    proxy.script(() => undefined);
    expect((await send('GET', '/api/core/account/profile', { jwt })).status).toBe(200);
  });
});

describe('a write', () => {
  /** Fails the first commands of a kind. */
  const failFirst = (count: number, kind: RegExp, failure: Fault) => {
    let left = count;
    proxy.script((operation) => (kind.test(operation) && left-- > 0 ? failure : undefined));
  };

  test('that collides with another transaction is sent again, and answered 503 should that never end', async () => {
    const [user] = demoUsers as [string];
    failFirst(3, /Transact/, COLLISION);
    const reply = await send('POST', `/api/core/account/lock/${user}`, { jwt });
    expect(reply.body.data).toMatchObject({ islocked: true, changed: true });
    failFirst(Number.POSITIVE_INFINITY, /Transact/, COLLISION);
    expect((await send('POST', `/api/core/account/unlock/${user}`, { jwt })).status).toBe(503);
    proxy.script(() => undefined);
    expect((await send('POST', `/api/core/account/unlock/${user}`, { jwt })).body.data.changed).toBe(true);
  });

  test('whose answer is lost takes effect once: a try, a token', async () => {
    failFirst(1, /PutItem/, 'lose');
    const guess = { json: { username: 'nobody-at-all', password: 'wrong-password' } };
    const statuses = [];
    for (let n = 0; n < 6; n++) statuses.push((await send('POST', '/api/core/account/login', guess)).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    failFirst(1, /Transact/, 'lose');
    const created = await send('POST', '/api/core/token/create/lost/admin', { jwt });
    expect(created.status).toBe(200);
    expect(
      (await send('GET', '/api/core/system/ping', { token: noted(created.body.data.value) })).status,
    ).toBe(200);
  });
});

test('a remembered account answers for 60 seconds, and no longer for having answered', async () => {
  const { runtime } = await openTarget(watched);
  let time = Date.now();
  const authenticate = authenticator({ ...runtime, now: () => time }, true);
  const session = { kind: 'jwt', value: await logIn(), via: 'header' } as const;
  await authenticate(session);
  proxy.script(() => DOWN);
  for (const seconds of [30, 29]) {
    time += seconds * 1000;
    await expect(authenticate(session)).resolves.toMatchObject({ caller: { username: 'admin' } });
  }
  time += 2000;
  await expect(authenticate(session)).rejects.toThrow();
});

const demoUsers: string[] = [];
beforeAll(async () => {
  const reply = await send('GET', '/api/core/account/browse', { token });
  demoUsers.push(
    ...reply.body.data.items
      .map(({ username }: { username: string }) => username)
      .filter((username: string) => username !== 'admin'),
  );
  expect(demoUsers.length).toBeGreaterThanOrEqual(2);
});
