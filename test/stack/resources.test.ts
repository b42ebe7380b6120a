import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { createClient } from '#lib/client/index';
import { ORDERS } from '../integration/resources.ts';
import { deploy } from './cloud.ts';

const url = inject('baseUrl');
const api = createClient({ url, credential: { token: inject('adminToken') } });
const app = 'node test/stack/apps/resources.ts';

/** The response of the token endpoint to an API token, for a resource or for a session. */
async function ask(secret: string, resource?: string) {
  const body = new URLSearchParams({ grant_type: 'client_credentials', ...(resource && { resource }) });
  const authorization = `Basic ${btoa(`shop:${secret}`)}`;
  const response = await fetch(`${url}/api/core/oauth/token`, {
    method: 'POST',
    headers: { authorization },
    body,
  });
  return (await response.json()) as { access_token: string; error?: string };
}

const secretOf = async (username: string, roles: string[]) => {
  await api.account.create({ username, roles });
  return (await api.token.create({ username, token_name: 'shop' })).value;
};

/** The roots of the HTTP API and the REST API. */
let roots: Readonly<Record<string, string>>;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  const secret = await secretOf('stack.clerk', ['clerk']);
  const other = await secretOf('stack.porter', ['porter']);
  tokens['clerk'] = (await ask(secret, ORDERS)).access_token;
  tokens['porter'] = (await ask(other, ORDERS)).access_token;
  tokens['session'] = (await ask(secret)).access_token;
  const [header, , signature] = tokens['porter'].split('.');
  const claims = JSON.stringify({ ...decodeJwt(tokens['porter']), scope: 'clerk' });
  tokens['changed'] = [header, Buffer.from(claims).toString('base64url'), signature].join('.');
});

const get = (address: string, token?: string) =>
  fetch(address, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } });

test('an HTTP API of another team is open to everybody before it has an authorizer', async () => {
  const { Url = '' } = await deploy(inject('cloud'), 'protected', { app });
  expect((await get(`${Url}/orders`)).status).toBe(200);
});

describe('with resourceAuthorizer', () => {
  beforeAll(async () => {
    const metadata = await fetch(`${url}/.well-known/openid-configuration`);
    const { issuer } = (await metadata.json()) as { issuer: string };
    const { Url = '', RestApiId = '' } = await deploy(inject('cloud'), 'protected', {
      app,
      options: [`issuer=${issuer}`],
    });
    // The emulator serves both kinds by the ID of the API.
    const rest = new URL('/prod', Url.replace(/\/\/[^.]+/, `//${RestApiId}`));
    roots = { http: Url, rest: rest.href };
  });

  test.each(['http', 'rest'])('an API (%s) serves the token of a caller', async (kind) => {
    const response = await get(`${roots[kind]}/orders`, tokens['clerk']);
    expect(response.status).toBe(200);
    const { sub, jti } = decodeJwt(tokens['clerk'] ?? '');
    const authorizer = (await response.json()) as { jwt?: { claims: object } };
    expect(authorizer.jwt?.claims ?? authorizer).toMatchObject({ sub, jti });
  });

  test.each([
    ['http', '/orders', 'no', 401],
    ['http', '/orders', 'session', 401],
    ['http', '/orders', 'changed', 401],
    ['http', '/stock', 'clerk', 401],
    ['http', '/clerks', 'porter', 403],
    ['http', '/clerks', 'clerk', 200],
    ['http', '/gone', 'clerk', 401],
    ['rest', '/orders', 'no', 401],
    ['rest', '/orders', 'session', 401],
    ['rest', '/orders', 'changed', 401],
    ['rest', '/stock', 'clerk', 401],
    ['rest', '/clerks', 'porter', 403],
    ['rest', '/clerks', 'clerk', 200],
    ['rest', '/gone', 'clerk', 500],
  ])('an API (%s) answers %s with the token "%s": %i', async (kind, path, token, status) => {
    expect((await get(`${roots[kind]}${path}`, tokens[token])).status).toBe(status);
  });

  test('the instance serves no token of a resource', async () => {
    expect((await get(`${url}/api/core/account/profile`, tokens['clerk'])).status).toBe(401);
  });
});
