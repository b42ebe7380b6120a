import { decodeJwt } from 'jose';
import { describe, expect, test, vi } from 'vitest';
import { endpoint } from '#lib/handler/endpoint';
import { refusal } from '#lib/http/oauth-refusal';
import { GRANT_TYPES, TOKEN_TYPES } from '#lib/oauth/grant-types';
import { grantToken } from '#lib/oauth/token';
import { contract } from '#lib/oauth/token.contract';
import { generateApiToken } from '#lib/token/secret';
import { DOWN } from '../../wire/dynamodb-proxy.ts';
import { call, createSigningKey, openEndpoints } from '../support/endpoints.ts';
import { auditLines } from '../support/log-lines.ts';
import { publishResourceKey } from '../support/signing-keys.ts';

vi.stubEnv('Settings__Issuer', 'https://accounts.example.com');
const bench = await openEndpoints();
const key = await createSigningKey(bench.table);
const resourceKey = await publishResourceKey(bench.table);
const handler = endpoint(contract, ({ body, event }, runtime) => grantToken(runtime, body, event), {
  signingKey: () => async () => key,
  resourceKey: () => async () => resourceKey,
  refusal,
});
const { token, account } = await bench.caller({ roles: ['reads', 'writes'] });

const FORM = 'application/x-www-form-urlencoded';
const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});
const post = (
  form: Readonly<Record<string, string>> | string,
  headers: Readonly<Record<string, string>> = {},
) =>
  call(handler, {
    method: 'POST',
    headers: { 'content-type': FORM, ...headers },
    body: typeof form === 'string' ? form : `${new URLSearchParams(form)}`,
  });
const UNKNOWN = generateApiToken((bytes) => new Uint8Array(bytes).fill(7));
const CLIENT = { grant_type: GRANT_TYPES.client };

describe('an API token opens a session, as the secret of any client', () => {
  const encoded = token.replaceAll('_', '%5F');
  test.each([
    ['in the header', CLIENT, basic('api', token)],
    ['in the header, percent-encoded', CLIENT, basic('a%20job', encoded)],
    ['in the form', { ...CLIENT, client_id: 'ci', client_secret: token }, {}],
    ['in the form without an ID', { ...CLIENT, client_secret: token }, {}],
    [
      'in the form, beside another scheme',
      { ...CLIENT, client_secret: token },
      { authorization: `Token ${UNKNOWN}` },
    ],
    ['with parameters that nobody knows', { ...CLIENT, client_secret: token, more: '1', scope: '' }, {}],
    [
      'with this API as the resource',
      { ...CLIENT, client_secret: token, resource: 'https://accounts.example.com' },
      {},
    ],
  ])('%s', async (_, form, headers) => {
    const { status, payload, headers: answered } = await post(form, headers);
    expect(payload).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 86_400,
      scope: 'reads writes',
      requestID: 'request-1',
    });
    expect([status, answered['cache-control'], answered['pragma']]).toEqual([200, 'no-store', 'no-cache']);
    const { access_token } = payload as { access_token: string };
    expect(decodeJwt(access_token)).toMatchObject({ sub: account.id, amr: ['token'] });
  });

  test('narrowed to the roles of its scope', async () => {
    const { payload } = await post({ ...CLIENT, client_secret: token, scope: 'writes' });
    expect(payload).toMatchObject({ scope: 'writes' });
    const { access_token } = payload as { access_token: string };
    expect(decodeJwt(access_token)).toMatchObject({ limits: { roles: ['writes'] } });
  });
});

const TRUSTED = {
  grant_type: GRANT_TYPES.exchange,
  subject_token: 'a.b.c',
  subject_token_type: TOKEN_TYPES.jwt,
};

describe('is refused', () => {
  test.each<
    [string, Readonly<Record<string, string>> | string, Readonly<Record<string, string>>, number, string]
  >([
    ['an unknown token in the header', CLIENT, basic('api', UNKNOWN), 401, 'invalid_client'],
    ['an unknown token in the form', { ...CLIENT, client_secret: UNKNOWN }, {}, 401, 'invalid_client'],
    ['a text that is no token', { ...CLIENT, client_secret: 'secret' }, {}, 401, 'invalid_client'],
    ['a client without a secret', { ...CLIENT, client_id: 'deploy@ci' }, {}, 401, 'invalid_client'],
    ['a pair that is none', CLIENT, { authorization: `Basic ${token}` }, 401, 'invalid_client'],
    [
      'a client in header and form',
      { ...CLIENT, client_secret: token },
      basic('api', token),
      400,
      'invalid_request',
    ],
    ['a request without a grant', { client_secret: token }, {}, 400, 'invalid_request'],
    ['a grant without a value', 'grant_type=', {}, 400, 'invalid_request'],
    ['a repeated grant', 'grant_type=a&grant_type=b', {}, 400, 'invalid_request'],
    ['an unknown grant', { grant_type: 'password' }, {}, 400, 'unsupported_grant_type'],
    [
      'a role that the token has not',
      { ...CLIENT, client_secret: token, scope: 'reads x' },
      {},
      400,
      'invalid_scope',
    ],
    [
      'another service',
      { ...CLIENT, client_secret: token, resource: 'https://x.example' },
      {},
      400,
      'invalid_target',
    ],
    ['an exchange without a trust', TRUSTED, {}, 400, 'invalid_request'],
    [
      'an exchange without a token',
      { grant_type: GRANT_TYPES.exchange, client_id: 'a@b' },
      {},
      400,
      'invalid_request',
    ],
    [
      'an exchange of another type',
      { ...TRUSTED, client_id: 'a@b', subject_token_type: 'x' },
      {},
      400,
      'invalid_request',
    ],
    [
      'an exchange for another type',
      { ...TRUSTED, client_id: 'a@b', requested_token_type: 'x' },
      {},
      400,
      'invalid_request',
    ],
    ['an actor', { ...TRUSTED, client_id: 'a@b', actor_token: 'x' }, {}, 400, 'invalid_request'],
    ['two trusts', { ...TRUSTED, client_id: 'a@b', audience: 'a@c' }, {}, 400, 'invalid_request'],
    ['a trust with a secret', TRUSTED, basic('a@b', 'x'), 401, 'invalid_client'],
    ['an unknown trust', { ...TRUSTED, audience: 'a@nobody' }, {}, 400, 'invalid_grant'],
    ['an unknown trust in the header', TRUSTED, basic('a%40nobody', ''), 400, 'invalid_grant'],
    [
      'an assertion without one',
      { grant_type: GRANT_TYPES.assertion, client_id: 'a@b' },
      {},
      400,
      'invalid_request',
    ],
    [
      'JSON',
      '{"grant_type":"client_credentials"}',
      { 'content-type': 'application/json' },
      415,
      'invalid_request',
    ],
    ['a large form', `grant_type=${'x'.repeat(40_000)}`, {}, 413, 'invalid_request'],
  ])('%s', async (_, form, headers, status, error) => {
    const answered = await post(form, headers);
    expect([answered.status, answered.payload]).toEqual([
      status,
      {
        error,
        error_description: expect.stringMatching(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/),
        requestID: 'request-1',
      },
    ]);
    const isBasic = status === 401 && 'authorization' in headers;
    expect(answered.headers['www-authenticate']).toBe(isBasic ? 'Basic realm="core-account"' : undefined);
    expect([answered.headers['cache-control'], answered.headers['content-type']]).toEqual([
      'no-store',
      'application/json; charset=utf-8',
    ]);
  });

  test('by an outage, with the time to try again', async () => {
    bench.wire.script(() => DOWN);
    const { status, payload, headers } = await post({ ...CLIENT, client_secret: token });
    expect([status, payload]).toMatchObject([503, { error: 'temporarily_unavailable' }]);
    expect(headers['retry-after']).toBe('5');
  });
});

const lines = auditLines();

test('the audit log tells whose token opened a session, and why another one opened none', async () => {
  await post({ ...CLIENT, client_secret: token });
  await post({ ...CLIENT, client_secret: UNKNOWN });
  await post({ ...CLIENT });
  await post({ grant_type: 'password' });
  expect(lines).toMatchObject([
    {
      action: 'oauth.token',
      actor: account.username,
      target: account.username,
      credential: 'test',
      outcome: 'ok',
      details: { session: expect.any(String) },
    },
    { actor: null, target: null, outcome: 'invalid_credentials', details: { cause: 'unknown_token' } },
    { actor: null, target: null, outcome: 'invalid_credentials', details: { cause: 'malformed_credential' } },
  ]);
  expect(JSON.stringify(lines)).not.toContain(UNKNOWN);
});

test('a cookie and a query token are not read', async () => {
  const { status } = await call(handler, {
    method: 'POST',
    headers: { 'content-type': FORM },
    cookies: [`ptoken=${token}`],
    rawQueryString: `ptoken=api:${token}`,
    body: 'grant_type=client_credentials',
  });
  expect(status).toBe(401);
});
