import { beforeEach, describe, expect, test, vi } from 'vitest';
import { contract as profile } from '#lib/account/profile/profile.contract';
import { authenticator } from '#lib/auth/authenticate';
import { Failure } from '#lib/failure/failure';
import { endpoint } from '#lib/handler/endpoint';
import { refusal } from '#lib/http/oauth-refusal';
import { GRANT_TYPES, TOKEN_TYPES } from '#lib/oauth/grant-types';
import { inspect } from '#lib/oauth/inspect';
import { contract as introspection } from '#lib/oauth/introspect.contract';
import { revokeCredential } from '#lib/oauth/revoke';
import { contract as revocation } from '#lib/oauth/revoke.contract';
import { grantToken } from '#lib/oauth/token';
import { contract } from '#lib/oauth/token.contract';
import { publicKeyItemKey } from '#lib/table/keys';
import { put } from '#lib/table/write';
import { call, createSigningKey, openEndpoints } from '../support/endpoints.ts';
import { auditLines, logLines } from '../support/log-lines.ts';
import { publishResourceKey } from '../support/signing-keys.ts';

const ISSUER = 'https://accounts.example.com';
const ORDERS = 'https://orders.example.com';
vi.stubEnv('Settings__Issuer', ISSUER);
vi.stubEnv('Settings__Resources', JSON.stringify([{ audience: ORDERS }, { audience: 'urn:billing' }]));
const { table, runtime, session, caller } = await openEndpoints();
const key = await createSigningKey(table);
const resourceKey = await publishResourceKey(table);
let hasKey = true;
beforeEach(() => {
  hasKey = true;
});
const granting = endpoint(contract, ({ body, event }, runtime) => grantToken(runtime, body, event), {
  signingKey: () => async () => key,
  resourceKey: () => async () => {
    if (hasKey) return resourceKey;
    throw new Failure('unavailable', { retryAfter: 5 });
  },
  refusal,
});
const reading = endpoint(profile, () => ({}) as never);
const introspecting = endpoint(introspection, ({ authenticate, body }) => inspect(authenticate, body.token));
const revoking = endpoint(
  revocation,
  ({ authenticate, body, actor, limits }, runtime) =>
    revokeCredential(runtime, authenticate, body.token, actor, { value: '', limits }),
  { publish: () => async () => [] },
);

const lines = logLines();
const audit = auditLines();
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const { account, token } = await caller({ roles: ['reads', 'sys_introspection'] });

const ask = (form: Readonly<Record<string, string>> | readonly (readonly [string, string])[], more = {}) =>
  call(granting, {
    method: 'POST',
    headers: FORM,
    body: `${new URLSearchParams(form as Record<string, string>)}`,
    ...more,
  });
const CLIENT = { grant_type: GRANT_TYPES.client, client_secret: token };
const issued = async () => {
  const { payload } = await ask({ ...CLIENT, resource: ORDERS });
  return (payload as { readonly access_token: string }).access_token;
};
const errorOf = ({ status, payload }: Awaited<ReturnType<typeof ask>>) => [
  status,
  (payload as { readonly error?: string }).error,
];

describe('a token for another service is refused here', () => {
  test.each([
    ['in the header', (value: string) => ({ headers: { authorization: `Bearer ${value}` } })],
    ['in the cookie', (value: string) => ({ cookies: [`ptoken=${value}`] })],
    ['in the query', (value: string) => ({ rawQueryString: `ptoken=${value}` })],
    ['as an API token', (value: string) => ({ headers: { authorization: `Token ${value}` } })],
  ])('%s', async (_, present) => {
    const value = await issued();
    expect((await call(reading, present(value))).status).toBe(401);
    // The same request with a session succeeds.
    const valid = { headers: { authorization: `Bearer ${await session(account, key, Date.now())}` } };
    expect((await call(reading, valid)).status).toBe(200);
  });

  test('although its key is among those of sessions', async () => {
    await put(table, publicKeyItemKey(resourceKey.kid), { jwk: resourceKey.publicJwk });
    const presented = { kind: 'jwt', value: await issued(), address: undefined } as const;
    await expect(authenticator(runtime)(presented)).rejects.toMatchObject({ cause: 'malformed_session' });
  });

  const present = (value: string) => ({
    method: 'POST',
    headers: { ...FORM, authorization: `Token ${token}` },
    body: `${new URLSearchParams({ token: value })}`,
  });

  test('by introspection, which answers only that it is not active', async () => {
    const { status, payload } = await call(introspecting, present(await issued()));
    expect([status, payload]).toEqual([200, { active: false }]);
    expect(await call(introspecting, present(token))).toMatchObject({ payload: { active: true } });
  });

  test('by revocation, which changes nothing', async () => {
    const { status } = await call(revoking, present(await issued()));
    expect(status).toBe(200);
    expect(audit.at(-1)).toMatchObject({ action: 'oauth.revoke', changed: false });
    expect((await ask({ ...CLIENT, resource: ORDERS })).status).toBe(200);
  });
});

describe('the token endpoint', () => {
  test.each<[string, [string, string][], number, string]>([
    ['an unknown service', [['resource', 'https://x.example.com']], 400, 'invalid_target'],
    [
      'two services',
      [
        ['resource', ORDERS],
        ['resource', 'urn:billing'],
      ],
      400,
      'invalid_target',
    ],
    [
      'a service twice',
      [
        ['resource', ORDERS],
        ['resource', ORDERS],
      ],
      400,
      'invalid_target',
    ],
    [
      'this API and a service',
      [
        ['resource', ISSUER],
        ['resource', ORDERS],
      ],
      400,
      'invalid_target',
    ],
    [
      'a service and none',
      [
        ['resource', ORDERS],
        ['resource', ''],
      ],
      400,
      'invalid_target',
    ],
  ])('issues nothing for %s', async (_, resources, status, error) => {
    const answered = await ask([...Object.entries(CLIENT), ...resources]);
    expect(errorOf(answered)).toEqual([status, error]);
    expect(audit).toEqual([]);
  });

  test('opens a session for a resource without a value', async () => {
    const { payload } = await ask({ ...CLIENT, resource: '' });
    expect(payload).toMatchObject({ expires_in: 86_400 });
  });

  test('answers 503 with the time to try again while the key is missing, and opens sessions', async () => {
    hasKey = false;
    const answered = await ask({ ...CLIENT, resource: ORDERS });
    expect([...errorOf(answered), answered.headers['retry-after']]).toEqual([
      503,
      'temporarily_unavailable',
      '5',
    ]);
    expect((await ask(CLIENT)).status).toBe(200);
  });

  test('reads no cookie, no token in the query, and no header for a session to exchange', async () => {
    const value = await session(account, key, Date.now());
    const exchange = {
      grant_type: GRANT_TYPES.exchange,
      subject_token_type: TOKEN_TYPES.access,
      resource: ORDERS,
    };
    for (const more of [
      { cookies: [`ptoken=${value}`] },
      { rawQueryString: `ptoken=${value}` },
      { headers: { ...FORM, authorization: `Bearer ${value}` } },
    ]) {
      expect(errorOf(await ask(exchange, more))).toEqual([400, 'invalid_request']);
      expect(errorOf(await ask({ ...exchange, subject_token: 'x' }, more))).toEqual([400, 'invalid_request']);
    }
    expect((await ask({ ...exchange, subject_token: value })).status).toBe(200);
  });

  test('logs for which service it has issued which token, and no token', async () => {
    const value = await session(account, key, Date.now(), { limits: { roles: ['reads'] } });
    const exchange = {
      grant_type: GRANT_TYPES.exchange,
      subject_token: value,
      subject_token_type: TOKEN_TYPES.access,
    };
    const answers = [
      await ask({ ...exchange, resource: ORDERS }),
      await ask({ ...exchange, resource: ISSUER }),
      await ask({ ...CLIENT, resource: ORDERS }),
      await ask({ ...exchange, subject_token: await issued(), resource: ORDERS }),
    ];
    const tokens = answers.map(({ payload }) => (payload as { access_token?: string }).access_token ?? '');
    const claims = (text: string) =>
      JSON.parse(Buffer.from(text.split('.')[1] ?? '', 'base64url').toString()) as Record<string, string>;
    const of = (text: string) => ({ resource: ORDERS, token_id: claims(text)['jti'] });
    const { username } = account;
    const ok = { action: 'oauth.token', actor: username, target: username, outcome: 'ok' };
    const [first = '', , third = ''] = tokens;
    expect(audit).toEqual([
      expect.objectContaining({ ...ok, credential: claims(value)['jti'], changed: true, details: of(first) }),
      expect.objectContaining({ ...ok, credential: claims(value)['jti'], changed: false, details: null }),
      expect.objectContaining({ ...ok, credential: 'test', changed: true, details: of(third) }),
      expect.objectContaining({ ...ok, details: expect.anything() }),
      expect.objectContaining({
        actor: null,
        target: null,
        outcome: 'invalid_credentials',
        details: { cause: 'malformed_session' },
      }),
    ]);
    const logged = JSON.stringify([...lines, ...audit]);
    const secrets = [value, token, ...tokens].filter((text) => text !== '');
    for (const text of secrets.flatMap((one) => one.split('.').slice(-2))) expect(logged).not.toContain(text);
  });
});
