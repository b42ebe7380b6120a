import { afterAll, beforeEach, expect, test, vi } from 'vitest';

beforeEach(() => {
  vi.resetModules();
});
afterAll(() => {
  vi.resetModules();
});

type Changes = { ping?: object; uuid?: object; profile?: object; relayOutbox?: object };

/** The faults with which the routes fail to load after changes of some contracts; undefined when they load. */
async function faultsOf(changes: Changes): Promise<string | undefined> {
  const { ping, uuid } = await import('#lib/system/contracts');
  const { profile } = await import('#lib/account/contracts');
  const { relayOutbox } = await import('#lib/outbox/jobs');
  for (const [name, contract] of Object.entries({ ping, uuid, profile, relayOutbox }))
    Object.assign(contract, changes[name as keyof Changes]);
  return import('#lib/routes').then(
    () => undefined,
    (error: Error) => error.message,
  );
}

const UUID = '/api/core/system/uuid';
const PROFILE = '/api/core/account/profile';

test.each<[string, Changes, string]>([
  ['two contracts have the same ID', { ping: { id: 'system.uuid' } }, 'system.uuid stands twice'],
  ['a job has the ID of a contract', { relayOutbox: { id: 'system.uuid' } }, 'system.uuid stands twice'],
  ['two contracts have the same route', { ping: { path: UUID } }, `GET ${UUID} has two contracts`],
  [
    'two routes differ by the names of their parameters only',
    { ping: { method: 'GET', path: '/a/{b}/c' }, uuid: { path: '/a/{d_1}/c' } },
    'GET /a/{}/c has two contracts',
  ],
  ['the route without its segment exists', { uuid: { path: PROFILE } }, `GET ${PROFILE} has two contracts`],
  [
    'an account is no parameter of the path',
    { profile: { accounts: ['username', 'user'] } },
    'account.profile: the path has no user',
  ],
  [
    'an account is a part of a parameter only',
    { profile: { accounts: ['name'] } },
    'account.profile: the path has no name',
  ],
  [
    'several faults exist',
    { ping: { id: 'system.uuid', method: 'GET' }, uuid: { path: '/A' }, profile: { accounts: ['x'] } },
    'system.uuid stands twice\nsystem.uuid: the path /A is malformed\naccount.profile: the path has no x',
  ],
])('no route loads when %s', async (_name, changes, message) => {
  expect(await faultsOf(changes)).toBe(message);
});

const MALFORMED = 'a /a/ //a /A /a1 /a_b /a/{} /a/{b-c} /a/{b /a/b} /a/{b}c /a/b{c} /a/{b??} x/a /a?'.split(
  ' ',
);

test.each(['', '/a b', ...MALFORMED])('no route loads when a path is malformed: %j', async (path) => {
  expect(await faultsOf({ uuid: { path } })).toBe(`system.uuid: the path ${path} is malformed`);
});

test.each<[string, Changes]>([
  ['no contract was changed', {}],
  ['the same path has other methods', { ping: { method: ['POST', 'PUT'], path: UUID } }],
  ['a path ends in a parameter', { uuid: { path: '/a/{b}' } }],
  ['a path contains a parameter', { uuid: { path: '/a/{b_1}/c-d' } }],
  ['a parameter and a word are in the same place', { uuid: { path: '/a/{b}' }, ping: { path: '/a/b' } }],
  ['an account is an optional parameter', { uuid: { path: '/a/{b}/{c?}', accounts: ['b', 'c'] } }],
])('the routes load when %s', async (_name, changes) => {
  expect(await faultsOf(changes)).toBeUndefined();
});
