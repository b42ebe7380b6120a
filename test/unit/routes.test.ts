import { expect, test } from 'vitest';
import type { Contract, Job } from '#lib/contract/contract';
import { contracts, functions, memoryOf, needsOf, routes, routesOf, timeoutOf } from '#lib/routes';

test.each<[string, Partial<Contract>, string[]]>([
  ['one route', {}, ['GET /a']],
  ['one route with parameters', { path: '/a/{b}/{c}' }, ['GET /a/{b}/{c}']],
  ['a route for each alias', { aliases: ['/', '/b'] }, ['GET /a', 'GET /', 'GET /b']],
  ['a second route without its optional segment', { path: '/a/{b?}' }, ['GET /a', 'GET /a/{b}']],
  ['both with a parameter', { path: '/a/{b}/{c?}' }, ['GET /a/{b}', 'GET /a/{b}/{c}']],
  [
    'routes for each method',
    { method: ['GET', 'POST'], path: '/a/{b?}' },
    ['GET /a', 'GET /a/{b}', 'POST /a', 'POST /a/{b}'],
  ],
])('a contract has %s', (_what, part, expected) => {
  const contract = { method: 'GET', path: '/a', ...part } as Contract;
  expect(routesOf(contract).map(({ method, path }) => `${method} ${path}`)).toEqual(expected);
});

test('no two functions have the same ID, and no two routes differ by the names of parameters only', () => {
  const ids = functions.map(({ id }) => id);
  const keys = routes.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`);
  for (const names of [ids, keys]) expect(names.toSorted()).toEqual([...new Set(names)].sort());
});

test.each(contracts)('the path of $id is well-formed: $path', ({ path }) => {
  expect(path).toMatch(/^(\/[a-z.-]+|\/\{\w+\})*\/([a-z.-]+|\{\w+\??\})$/);
});

test('contracts are in the order of their paths', () => {
  const paths = contracts.map(({ path }) => path);
  expect(paths).toEqual(paths.toSorted());
});

const CONTRACT = { id: 'a.b', access: 'authenticated', needs: [] } as unknown as Contract;
const JOB = { id: 'a.b-c', trigger: 'secret-rotation', needs: [] } as unknown as Job;

test('an endpoint has 1,024 MB by default and 15 s, and a job has 512 MB and 60 s', () => {
  expect([CONTRACT, JOB, { ...CONTRACT, memory: 1769 }].map(memoryOf)).toEqual([1024, 512, 1769]);
  expect([CONTRACT, JOB].map(timeoutOf)).toEqual([15, 60]);
});

const AUTHENTICATE = [
  'table:GetItem:ACCOUNT',
  'table:GetItem:TOKEN',
  'table:BatchGetItem:ACCOUNT',
  'table:BatchGetItem:TOKEN',
  'table:BatchGetItem:ENDED',
  'table:Query:KEYS',
  'table:UpdateItem:ACCOUNT:activity',
  'table:UpdateItem:TOKEN:use',
  'transaction:UpdateItem:ACCOUNT:activity',
  'transaction:UpdateItem:TOKEN:use',
  'transaction:UpdateItem:SLICE:active',
];
const mayDo = (definition: Contract | Job) => [...needsOf(definition)];

test('a function may authenticate its caller with every kind of access', () => {
  expect(mayDo(CONTRACT)).toEqual(AUTHENTICATE);
  expect(mayDo({ ...CONTRACT, access: { role: 'sys_tokens' } })).toEqual(AUTHENTICATE);
});

test('a function may do nothing when anyone may call it, or no one can', () => {
  expect(mayDo({ ...CONTRACT, access: 'public' })).toEqual([]);
  expect(mayDo(JOB)).toEqual([]);
});

test('a function may read the accounts that its path names', () => {
  const accounts = ['username'];
  expect(mayDo({ ...CONTRACT, access: 'public', accounts })).toEqual(['table:BatchGetItem:ACCOUNT']);
  expect(mayDo({ ...CONTRACT, accounts })).toEqual(AUTHENTICATE);
});

test('a function has the permissions of its needs, each once', () => {
  const needs = ['index:GSI1:TOKENS', 'table:GetItem:TOKEN'] as const;
  expect(mayDo({ ...CONTRACT, needs })).toEqual([...AUTHENTICATE, 'index:GSI1:TOKENS']);
  expect(mayDo({ ...JOB, needs })).toEqual(needs);
});
