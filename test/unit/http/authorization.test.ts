import { expect, test } from 'vitest';
import type { Access, Contract } from '#lib/contract/contract';
import { authorization, targetIn } from '#lib/http/authorization';
import type { EndpointEvent } from '#lib/http/request';
import { codeOf } from '../support/code-of.ts';
import { accountItem } from '../support/items.ts';

const role = 'sys_administrator';
const PATH = { role, orSelf: 'path' } as const;
const BODY = { role, orSelf: 'body' } as const;

/** The code of the failure when Ada calls an endpoint with this access. */
const outcome = (access: Access, event: Partial<EndpointEvent>, roles: readonly string[] = []) => {
  const { before } = authorization({ access } as Contract);
  const caller = accountItem({ username: 'Ada', roles });
  return codeOf(() => (before as (request: object) => void)({ event: { caller, ...event } }));
};
const onPath = (username: string) => ({ pathParameters: { username } });
const inBody = (username: string) => ({ body: { username } });

test.each<[Access, string]>([
  ['public', 'path'],
  ['authenticated', 'path'],
  [{ role }, 'path'],
  [PATH, 'path'],
  [BODY, 'body'],
])('the target of access %j is in the %s', (access, place) => {
  expect(targetIn({ access } as Contract)).toBe(place);
});

test.each<[Access, Partial<EndpointEvent>]>([
  ['authenticated', {}],
  [{ role }, { caller: accountItem({ roles: [role] }) }],
  [PATH, {}],
  [PATH, { pathParameters: {} }],
  [PATH, { ...onPath('aDA'), ...inBody('Bob') }],
  [PATH, { ...onPath('Bob'), caller: accountItem({ roles: [role] }) }],
  [BODY, { body: {} }],
  [BODY, { ...onPath('Bob'), ...inBody('aDA') }],
  [BODY, { ...inBody('Bob'), caller: accountItem({ roles: [role] }) }],
])('access %j permits %j', (access, event) => {
  expect(outcome(access, event)).toBeUndefined();
});

test.each<[Access, Partial<EndpointEvent>]>([
  [{ role }, {}],
  [{ role }, onPath('Ada')],
  [PATH, { ...onPath('Bob'), ...inBody('Ada') }],
  [BODY, { ...onPath('Ada'), ...inBody('Bob') }],
])('access %j does not permit %j', (access, event) => {
  expect(outcome(access, event, ['sys_tokens'])).toBe('forbidden');
});
