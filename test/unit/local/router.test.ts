import { expect, test } from 'vitest';
import { openRouter } from '#infra/local/services/gateway/router';
import type { Contract } from '#lib/contract/contract';
import { routes } from '#lib/routes';

const route = openRouter(routes);

test.each([
  ['GET', '/api/core/account/nothing'],
  ['GET', '/api/core/account/lock/admin'],
  ['HEAD', '/api/core/system/uuid'],
  ['OPTIONS', '/api/core/system/uuid'],
  ['GET', '/api/core/system/uuid/'],
  ['POST', '/api/core/account/lock/'],
  ['GET', '//api/core/system/uuid'],
  ['GET', '/api/core/System/uuid'],
  ['GET', '/api/core/account/profile/a%2Fb'],
  ['GET', ''],
  ['OPTIONS', '*'],
])('the router has no %s %s', (method, target) => {
  expect(route(method, target)).toBeUndefined();
});

test.each([['/api/core%2Fsystem/uuid'], ['http://example.com/api/core/system/uuid?n=1']])(
  'the router decodes %s, without origin and query',
  (target) => expect(route('GET', target)).toMatchObject({ rawPath: '/api/core/system/uuid' }),
);

test.each(['%zz', '%ff'])('the router reports a path with %s as malformed', (text) => {
  expect(route('GET', `/api/core/account/profile/${text}`)).toBe('malformed');
});

test('the router prefers a literal segment to a parameter, in any order of the list', () => {
  const find = openRouter(
    ['/a/{x}/{y}', '/a/{x}/c', '/a/b/{y}'].map((path) => ({ method: 'GET', path, contract: {} as Contract })),
  );
  expect(find('GET', '/a/b/c')).toMatchObject({ route: { path: '/a/b/{y}' } });
  expect(find('GET', '/a/x/c')).toMatchObject({ route: { path: '/a/{x}/c' } });
  expect(find('GET', '/a/x/y')).toMatchObject({ route: { path: '/a/{x}/{y}' }, params: { x: 'x', y: 'y' } });
});
