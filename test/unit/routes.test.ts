import { describe, expect, test } from 'vitest';
import type { Contract, Job } from '#lib/contract/contract';
import {
  contracts,
  functions,
  jobs,
  memoryOf,
  needsOf,
  routes,
  routesOf,
  sourceOf,
  timeoutOf,
} from '#lib/routes';

/** What clients were promised, apart from the code: a change here breaks them. */
const PUBLISHED = `
  GET    /api/core/token/user
  GET    /api/core/token/browse
  POST   /api/core/token/create/logintoken
  GET    /api/core/token/user/{username}
  POST   /api/core/token/create/{token_name}/{username}
  POST   /api/core/token/delete/{token_name}/{username}
  GET    /api/core/account/profile
  GET    /api/core/account/profile/{username}
  POST   /api/core/account/profile-update
  GET    /api/core/account/browse
  POST   /api/core/account/copy/{source_username}/{target_username}
  POST   /api/core/account/lock/{username}
  POST   /api/core/account/unlock/{username}
  POST   /api/core/account/cancel/{username}
  POST   /api/core/account/reactivate/{username}
  POST   /api/core/account/context/{app_name}
  POST   /api/core/account/context/{app_name}/{username}
  POST   /api/core/account/login
  GET    /api/core/account/logout
  GET    /api/core/system
  POST   /api/core/system/preview
  GET    /api/core/system/uuid
  GET    /api/core/system/uuids
  GET    /api/core/system/ping
  POST   /api/core/system/ping
  PUT    /api/core/system/ping
  PATCH  /api/core/system/ping
  DELETE /api/core/system/ping
  GET    /api/core/system/jwks
  GET    /api/core/openapi.json
  GET    /api/core/docs
  GET    /
  GET    /api/core
  GET    /api/core/docs/{script}`;

test('the routes are exactly those published', () => {
  const published = PUBLISHED.trim()
    .split('\n')
    .map((line) => line.trim().replace(/ +/, ' '));
  expect(routes.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(published.sort());
});

describe('a contract has', () => {
  const route = (part: Partial<Contract>) =>
    routesOf({ method: 'GET', path: '/a', ...part } as Contract).map(
      ({ method, path }) => `${method} ${path}`,
    );

  test('one route', () => {
    expect(route({})).toEqual(['GET /a']);
    expect(route({ path: '/a/{b}/{c}' })).toEqual(['GET /a/{b}/{c}']);
  });

  test('one more for each alias', () => {
    expect(route({ aliases: ['/', '/b'] })).toEqual(['GET /a', 'GET /', 'GET /b']);
  });

  test('a second where its last segment may be absent', () => {
    expect(route({ path: '/a/{b?}' })).toEqual(['GET /a', 'GET /a/{b}']);
    expect(route({ path: '/a/{b}/{c?}' })).toEqual(['GET /a/{b}', 'GET /a/{b}/{c}']);
  });

  test('one for each of its methods', () => {
    expect(route({ method: ['GET', 'POST'], path: '/a/{b?}' })).toEqual([
      'GET /a',
      'GET /a/{b}',
      'POST /a',
      'POST /a/{b}',
    ]);
  });
});

test('no optional segment reaches the gateway', () => {
  for (const { path } of routes) expect(path).not.toContain('?');
});

test('every route leads to its contract', () => {
  for (const { method, path, contract } of routes)
    expect(routesOf(contract)).toContainEqual({ method, path, contract });
});

test('contracts stand in the order of their paths, and jobs come after them', () => {
  const paths = contracts.map(({ path }) => path);
  expect(paths).toEqual([...paths].sort());
  expect(functions).toEqual([...contracts, ...jobs]);
  expect(jobs.map(({ id }) => id)).toEqual([
    'events.relay-outbox',
    'keys.rotate-signing-key',
    'audit.collect',
  ]);
});

const CONTRACT = { id: 'a.b', access: 'authenticated', needs: [] } as unknown as Contract;
const JOB = { id: 'a.b-c', trigger: 'secret-rotation', needs: [] } as unknown as Job;

describe('a function has', () => {
  test('1,024 MB of memory unless its contract tells, and 512 for a job', () => {
    expect([CONTRACT, JOB, { ...CONTRACT, memory: 1769 }].map(memoryOf)).toEqual([1024, 512, 1769]);
    expect(jobs.map(memoryOf)).toEqual([512, 512, 512]);
    const larger = contracts.filter((contract) => memoryOf(contract) !== 1024);
    expect(larger.map((definition) => [definition.id, memoryOf(definition)]).sort()).toEqual([
      ['account.browse', 1769],
      ['account.login', 1769],
      ['system.preview', 1769],
    ]);
  });

  test('15 seconds for an endpoint, and 60 for a job', () => {
    expect([CONTRACT, JOB].map(timeoutOf)).toEqual([15, 60]);
    expect(contracts.map(timeoutOf)).toEqual(contracts.map(() => 15));
    expect(jobs.map(timeoutOf)).toEqual([60, 60, 60]);
  });

  test('its source where its id says', () => {
    expect([CONTRACT, JOB].map(sourceOf)).toEqual(['functions/a/b.ts', 'functions/a/b-c.ts']);
  });
});

describe('a function may', () => {
  const AUTHENTICATE = [
    'table:GetItem:ACCOUNT',
    'table:GetItem:TOKEN',
    'table:BatchGetItem:ACCOUNT',
    'table:BatchGetItem:TOKEN',
    'table:Query:KEYS',
    'table:UpdateItem:ACCOUNT:activity',
    'table:UpdateItem:TOKEN:activity',
    'transaction:UpdateItem:ACCOUNT:activity',
    'transaction:UpdateItem:TOKEN:activity',
    'transaction:UpdateItem:SLICE:activity',
  ];
  const mayDo = (definition: Contract | Job) => [...needsOf(definition)];

  test('authenticate its caller, whatever its access is', () => {
    expect(mayDo(CONTRACT)).toEqual(AUTHENTICATE);
    expect(mayDo({ ...CONTRACT, access: { role: 'sys_tokens' } })).toEqual(AUTHENTICATE);
  });

  test('do nothing where anyone may call, or nobody can', () => {
    expect(mayDo({ ...CONTRACT, access: 'public' })).toEqual([]);
    expect(mayDo(JOB)).toEqual([]);
  });

  test('read the accounts that its path names', () => {
    const accounts = ['username'];
    expect(mayDo({ ...CONTRACT, access: 'public', accounts })).toEqual(['table:BatchGetItem:ACCOUNT']);
    expect(mayDo({ ...CONTRACT, accounts })).toEqual(AUTHENTICATE);
  });

  test('do what it needs, named once', () => {
    const needs = ['index:GSI1:TOKENS', 'table:GetItem:TOKEN'] as const;
    expect(mayDo({ ...CONTRACT, needs })).toEqual([...AUTHENTICATE, 'index:GSI1:TOKENS']);
    expect(mayDo({ ...JOB, needs })).toEqual(needs);
  });

  test('update all attributes of an item, or some: not both, but for transactions', () => {
    const needs = ['table:UpdateItem:ACCOUNT', 'transaction:UpdateItem:ACCOUNT'] as const;
    const [limited, ...others] = AUTHENTICATE.filter((need) => need.includes(':ACCOUNT:'));
    expect(mayDo({ ...CONTRACT, needs })).toEqual([
      ...AUTHENTICATE.filter((need) => need !== limited),
      ...needs,
    ]);
    expect(limited).toBe('table:UpdateItem:ACCOUNT:activity');
    expect(others).toEqual(['transaction:UpdateItem:ACCOUNT:activity']);
  });
});
