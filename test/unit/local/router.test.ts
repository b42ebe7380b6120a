import { describe, expect, test } from 'vitest';
import { openRouter } from '#infra/local/gateway/router';
import type { Contract, Method } from '#lib/contract/contract';
import { type Route, routes } from '#lib/routes';

const routeOf = (method: Method, path: string): Route => ({ method, path, contract: {} as Contract });

describe('the router', () => {
  const route = openRouter(routes);

  test.each(routes.map(({ method, path }) => [method, path] as const))('finds %s %s', (method, path) => {
    const match = route(method, path.replace(/\{\w+\}/g, 'x'));
    expect(match).toMatchObject({ route: { method, path } });
  });

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
  ])('knows no %s %s', (method, target) => {
    expect(route(method, target)).toBeUndefined();
  });

  test('takes an encoded slash for a slash', () => {
    expect(route('GET', '/api/core%2Fsystem/uuid')).toMatchObject({ rawPath: '/api/core/system/uuid' });
  });

  test('calls a path malformed that is not percent-encoded UTF-8', () => {
    expect(route('GET', '/api/core/account/profile/%zz')).toBe('malformed');
    expect(route('GET', '/api/core/account/profile/%ff')).toBe('malformed');
  });

  test('reads an absolute target like its path', () => {
    expect(route('GET', 'http://example.com/api/core/system/uuid?n=1')).toMatchObject({
      rawPath: '/api/core/system/uuid',
    });
  });

  test('prefers a literal segment to a parameter, wherever the list has them', () => {
    const find = openRouter([
      routeOf('GET', '/a/{x}/{y}'),
      routeOf('GET', '/a/{x}/c'),
      routeOf('GET', '/a/b/{y}'),
    ]);
    expect(find('GET', '/a/b/c')).toMatchObject({ route: { path: '/a/b/{y}' } });
    expect(find('GET', '/a/x/c')).toMatchObject({ route: { path: '/a/{x}/c' } });
    expect(find('GET', '/a/x/y')).toMatchObject({
      route: { path: '/a/{x}/{y}' },
      params: { x: 'x', y: 'y' },
    });
  });
});
