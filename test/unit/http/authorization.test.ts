import { expect, test } from 'vitest';
import type { Access, Contract } from '#lib/contract/contract';
import { authorization } from '#lib/http/authorization';
import { codeOf } from '../support/code-of.ts';
import { OPEN } from '../support/endpoints.ts';
import { authenticatedAs, requestContext, step } from '../support/request-context.ts';

const role = 'sys_administrator';
const contractOf = (access: Access): Contract => ({ ...OPEN, access });
const PATH = { role, orSelf: 'path' } as const;
const BODY = { role, orSelf: 'body' } as const;

interface Named {
  readonly path?: string;
  readonly body?: string;
}

test.each<[Access, Named, string | undefined]>([
  ['authenticated', {}, undefined],
  [PATH, {}, undefined],
  [PATH, { path: 'aDA', body: 'Bob' }, undefined],
  [PATH, { path: 'Bob', body: 'Ada' }, 'forbidden'],
  [BODY, {}, undefined],
  [BODY, { path: 'Bob', body: 'aDA' }, undefined],
  [BODY, { path: 'Ada', body: 'Bob' }, 'forbidden'],
])('access %j decides the request %j of Ada: %s', (access, { path, body }, code) => {
  const authenticated = authenticatedAs('Ada', {}, { roles: ['sys_tokens'] });
  const event = path === undefined ? {} : { pathParameters: { username: path } };
  const input = { params: {}, query: {}, headers: {}, body: body === undefined ? {} : { username: body } };
  const context = requestContext(event, { authenticated, input });
  expect(codeOf(() => step(authorization(contractOf(access), Date.now), 'before', context))).toBe(code);
});

test('a request without a caller is never authorized', () => {
  const authorizing = authorization(contractOf('authenticated'), Date.now);
  expect(() => step(authorizing, 'before', requestContext())).toThrow('The caller is not known yet');
});
