import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';

beforeEach(() => {
  vi.resetModules();
});
afterAll(() => {
  vi.resetModules();
});

/** Loads the routes with other contracts than the service has. */
async function load(changes: { ping?: object; uuid?: object; profile?: object; relayOutbox?: object }) {
  const { ping, uuid } = await import('#lib/system/contracts');
  const { profile } = await import('#lib/account/contracts');
  const { relayOutbox } = await import('#lib/outbox/jobs');
  for (const [name, contract] of Object.entries({ ping, uuid, profile, relayOutbox }))
    Object.assign(contract, changes[name as keyof typeof changes]);
  return import('#lib/routes');
}
const messageOf = (changes: Parameters<typeof load>[0]) =>
  load(changes).then(
    () => undefined,
    (error: Error) => error.message,
  );

const UUID = '/api/core/system/uuid';
const PROFILE = '/api/core/account/profile';

test('the routes of the service are loaded', async () => {
  expect((await load({})).routes).toHaveLength(34);
});

describe('no route is loaded where', () => {
  test.each<[string, Parameters<typeof load>[0], string]>([
    ['two contracts have one id', { ping: { id: 'system.uuid' } }, 'system.uuid stands twice'],
    ['a job has the id of a contract', { relayOutbox: { id: 'system.uuid' } }, 'system.uuid stands twice'],
    ['two contracts have one route', { ping: { path: UUID } }, `GET ${UUID} has two contracts`],
    [
      'two contracts have one route but for the names of parameters',
      { ping: { method: 'GET', path: '/a/{b}/c' }, uuid: { path: '/a/{d_1}/c' } },
      'GET /a/{}/c has two contracts',
    ],
    [
      'the route without an optional segment is that of another',
      { uuid: { path: PROFILE } },
      `GET ${PROFILE} has two contracts`,
    ],
    [
      'an account is no parameter of its path',
      { profile: { accounts: ['username', 'user'] } },
      'account.profile: the path has no user',
    ],
    [
      'an account only begins or ends like a parameter',
      { profile: { accounts: ['name'] } },
      'account.profile: the path has no name',
    ],
  ])('%s', async (_name, changes, message) => {
    expect(await messageOf(changes)).toBe(message);
  });

  test.each([
    '',
    'a',
    '/a/',
    '//a',
    '/A',
    '/a1',
    '/a_b',
    '/a/{}',
    '/a/{b-c}',
    '/a/{b',
    '/a/b}',
    '/a/{b}c',
    '/a/b{c}',
    '/a/{b??}',
    '/a b',
    'x/a',
    '/a?',
  ])('a path is malformed: %j', async (path) => {
    expect(await messageOf({ uuid: { path } })).toBe(`system.uuid: the path ${path} is malformed`);
  });

  test('several faults are found, which are told together', async () => {
    const changes = {
      ping: { id: 'system.uuid', method: 'GET' },
      uuid: { path: '/A' },
      profile: { accounts: ['x'] },
    };
    expect((await messageOf(changes))?.split('\n')).toEqual([
      'system.uuid stands twice',
      'system.uuid: the path /A is malformed',
      'account.profile: the path has no x',
    ]);
  });
});

describe('routes are loaded where', () => {
  test.each<[string, Parameters<typeof load>[0]]>([
    ['one path has other methods', { ping: { method: ['POST', 'PUT'], path: UUID } }],
    ['a path ends in a parameter', { uuid: { path: '/a/{b}' } }],
    ['a path has a parameter within', { uuid: { path: '/a/{b_1}/c-d' } }],
    ['a parameter and a word stand in one place', { uuid: { path: '/a/{b}' }, ping: { path: '/a/b' } }],
    [
      'an account is an optional parameter',
      { uuid: { path: '/a/{one}/{other?}', accounts: ['one', 'other'] } },
    ],
  ])('%s', async (_name, changes) => {
    expect(await messageOf(changes)).toBeUndefined();
  });
});
