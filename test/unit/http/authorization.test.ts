import { expect, test } from 'vitest';
import type { Access, Contract } from '#lib/contract/contract';
import { authorization } from '#lib/http/authorization';
import type { EndpointEvent } from '#lib/http/request';
import { codeOf } from '../support/code-of.ts';
import { accountItem } from '../support/items.ts';

const role = 'sys_administrator';
const PATH = { role, orSelf: 'path' } as const;
const BODY = { role, orSelf: 'body' } as const;

const onPath = (username: string) => ({ pathParameters: { username } });
const inBody = (username: string) => ({ body: { username } });

test.each<[Access, Partial<EndpointEvent>, string | undefined]>([
  ['authenticated', {}, undefined],
  [PATH, {}, undefined],
  [PATH, { ...onPath('aDA'), ...inBody('Bob') }, undefined],
  [PATH, { ...onPath('Bob'), ...inBody('Ada') }, 'forbidden'],
  [BODY, { body: {} }, undefined],
  [BODY, { ...onPath('Bob'), ...inBody('aDA') }, undefined],
  [BODY, { ...onPath('Ada'), ...inBody('Bob') }, 'forbidden'],
])('access %j decides the request %j of Ada: %s', (access, event, code) => {
  const { before } = authorization({ access, needs: [] as Contract['needs'] } as Contract, Date.now);
  const caller = accountItem({ username: 'Ada', roles: ['sys_tokens'] });
  const request = { event: { caller, ...event } };
  expect(codeOf(() => (before as (request: object) => void)(request))).toBe(code);
});
