import { describe, expect, test } from 'vitest';
import type { Access, Contract } from '#lib/contract/contract';
import { authorization, targetIn } from '#lib/http/authorization';
import type { EndpointEvent } from '#lib/http/request';
import type { Account } from '#lib/item/account';
import { codeOf } from '../support/code-of.ts';

const role = 'sys_administrator';

/** What becomes of a request to an endpoint of this access, by an account named Ada. */
const outcome = (access: Access, event: Partial<EndpointEvent>, roles: readonly string[] = []) =>
  codeOf(() => {
    const { before } = authorization({ access } as Contract);
    (before as (request: object) => void)({
      event: { caller: { username: 'Ada', roles } as unknown as Account, ...event },
    });
  });

test.each<[Access, string]>([
  ['public', 'path'],
  ['authenticated', 'path'],
  [{ role }, 'path'],
  [{ role, orSelf: 'path' }, 'path'],
  [{ role, orSelf: 'body' }, 'body'],
])('where access is %j, its target stands in the %s', (access, place) => {
  expect(targetIn({ access } as Contract)).toBe(place);
});

test.each<Access>(['public', 'authenticated'])('every caller passes where access is %s', (access) => {
  expect(outcome(access, {})).toBeUndefined();
});

test('only holders of the role pass', () => {
  expect(outcome({ role }, {}, [role])).toBeUndefined();
  expect(outcome({ role }, {}, ['sys_tokens'])).toBe('forbidden');
  expect(outcome({ role }, { pathParameters: { username: 'Ada' } })).toBe('forbidden');
});

describe.each([
  ['path', (username?: string) => ({ pathParameters: username === undefined ? {} : { username } })],
  ['body', (username?: string) => ({ body: username === undefined ? {} : { username } })],
] as const)('where oneself is enough, by the %s', (place, naming) => {
  const access = { role, orSelf: place } as const;

  test('a caller passes that names itself, in whatever case, or nobody', () => {
    for (const name of ['Ada', 'aDA', undefined]) expect(outcome(access, naming(name))).toBeUndefined();
  });

  test('a caller that names another needs the role', () => {
    expect(outcome(access, naming('Bob'))).toBe('forbidden');
    expect(outcome(access, naming('Bob'), [role])).toBeUndefined();
  });
});

test('a path without parameters names nobody', () => {
  expect(outcome({ role, orSelf: 'path' }, {})).toBeUndefined();
});

test('what stands in the other place does not count', () => {
  const both = { pathParameters: { username: 'Ada' }, body: { username: 'Bob' } };
  expect(outcome({ role, orSelf: 'path' }, both)).toBeUndefined();
  expect(outcome({ role, orSelf: 'body' }, both)).toBe('forbidden');
});
