import { describe, expect, test } from 'vitest';
import type { Contract } from '#lib/contract/contract';
import { routes, routesOf } from '#lib/routes';

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
  GET    /api/core/system/jwks`;

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
