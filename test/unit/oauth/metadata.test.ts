import { expect, test, vi } from 'vitest';
import { openEndpoint } from '#lib/handler/open-endpoint';
import { givenSettings } from '#lib/instance/expectations';
import { authorizationServer, protectedResource } from '#lib/oauth/metadata';
import { contract } from '#lib/oauth/metadata.contract';
import { contract as resource } from '#lib/oauth/resource.contract';
import { call } from '../support/endpoints.ts';

const settings = (given: Readonly<Record<string, string>>) =>
  givenSettings(
    Object.fromEntries(Object.entries(given).map(([name, value]) => [`Settings__${name}`, value])),
  );

test.each([
  [
    'the setting',
    { Issuer: 'https://id.example.com', ApiUrl: 'https://api.example.com/v1' },
    'https://id.example.com',
  ],
  ['the origin of the API', { ApiUrl: 'https://api.example.com/v1' }, 'https://api.example.com'],
  ['a local API', { ApiUrl: 'http://localhost:3000' }, 'http://localhost:3000'],
])('the issuer is that of %s, and all URLs are below it', (_, given, issuer) => {
  const { issuer: named, ...others } = authorizationServer(settings(given));
  expect(named).toBe(issuer);
  const urls = Object.entries(others).flatMap(([name, value]) => (name.endsWith('_endpoint') ? [value] : []));
  expect(urls).toEqual(['token', 'introspect', 'revoke'].map((last) => `${issuer}/api/core/oauth/${last}`));
  for (const path of ['', '/api/core']) {
    const { resource: named, authorization_servers } = protectedResource(
      settings(given),
      `/.well-known/oauth-protected-resource${path}`,
    );
    expect([named, authorization_servers]).toEqual([`${issuer}${path}`, [issuer]]);
  }
});

test.each([
  ['a path', 'https://id.example.com/core'],
  ['a final slash', 'https://id.example.com/'],
  ['http', 'http://id.example.com'],
])('the setting refuses an issuer with %s', (_, Issuer) => {
  expect(() => settings({ Issuer })).toThrow('Settings:Issuer expects an https origin');
});

test.each([contract, resource])(
  '$id is the same for every origin, and may be kept for an hour',
  async (one) => {
    vi.stubEnv('Settings__Issuer', 'https://id.example.com');
    const handler = openEndpoint(one as typeof contract, () => authorizationServer(settings({})));
    const { status, headers } = await call(handler, { headers: { origin: 'https://any.example.com' } });
    expect([status, headers['access-control-allow-origin'], headers['cache-control']]).toEqual([
      200,
      '*',
      'public, max-age=3600',
    ]);
    const again = await call(handler, { headers: { 'if-none-match': headers['etag'] } });
    expect([again.status, again.payload]).toEqual([304, '']);
  },
);
