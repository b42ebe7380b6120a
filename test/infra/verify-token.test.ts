import { createServer } from 'node:http';
import {
  exportJWK,
  generateKeyPair,
  type JWTHeaderParameters,
  type JWTPayload,
  SignJWT,
  UnsecuredJWT,
} from 'jose';
import { afterAll, afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest';
import { PRESENTED } from '#infra/aws/authorizer/presented';
import { tokenVerifier } from '#infra/aws/authorizer/verify-token';
import { listen } from '../../infra/local/machine/listen.ts';
import { newKeyPair } from '../unit/support/signing-keys.ts';

const AUDIENCE = 'https://orders.example.com';
const METHOD = 'arn:aws:execute-api:eu-central-1:444455556666:a1b2c3/prod/GET/orders/7';
const API = 'arn:aws:execute-api:eu-central-1:444455556666:a1b2c3/*';
const NOW = Date.UTC(2026, 10, 29, 12);
const seconds = NOW / 1000;

const [key, successor, unpublished, session] = await Promise.all([
  newKeyPair('RS256'),
  newKeyPair('RS256'),
  newKeyPair('RS256'),
  newKeyPair('ES256'),
]);
/** What the server answers to a request for the keys; without it, none. */
let answer: { readonly status: number; readonly body: string };
const requests: string[] = [];
const server = createServer(({ url }, response) => {
  requests.push(url ?? '');
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
});
const { url: issuer, close } = await listen(server);
const published = JSON.stringify({ keys: [key.publicJwk, successor.publicJwk] });

beforeEach(() => {
  answer = { status: 200, body: published };
  requests.length = 0;
});
afterAll(close);

const CLAIMS = {
  iss: issuer,
  aud: AUDIENCE,
  sub: '0d5c3f0e-6d0f-4d2a-9c52-6a4f2f6b7a11',
  client_id: 'deploy@ci',
  jti: '5b0b8bb3-0a5a-4c39-8d4e-0f5f2bb2f0a1',
  iat: seconds - 60,
  exp: seconds + 240,
  scope: 'orders stock',
  roles: ['orders', 'stock'],
};

const sign = (
  claims: JWTPayload = {},
  header: Partial<JWTHeaderParameters> = {},
  signer: { readonly kid: string; readonly key: Parameters<SignJWT['sign']>[0] } = key,
) =>
  new SignJWT({ ...CLAIMS, ...claims })
    .setProtectedHeader({ alg: 'RS256', kid: signer.kid, typ: 'at+jwt', ...header })
    .sign(signer.key);

const without = (name: keyof typeof CLAIMS) => sign({ [name]: undefined });

/** The answer for a token: the effect of the policy, or the message of the error. */
async function decide(
  token: string,
  { roles = ['orders'], scheme = 'Bearer ', verify = verifier(roles) } = {},
) {
  const event = { type: 'TOKEN', authorizationToken: `${scheme}${token}`, methodArn: METHOD } as const;
  const result = await verify(event).catch((error: Error) => error.message);
  return typeof result === 'string' ? result : result.policyDocument.Statement[0]?.Effect;
}
const verifier = (roles: readonly string[] = ['orders']) =>
  tokenVerifier({ issuer, audience: AUDIENCE, roles }, () => NOW);

describe('a token of the resource', () => {
  it('is let in, for the whole API, with what the integration needs', async () => {
    const event = { type: 'TOKEN', authorizationToken: `Bearer ${await sign()}`, methodArn: METHOD } as const;
    expect(await verifier()(event)).toEqual({
      principalId: CLAIMS.sub,
      policyDocument: {
        Version: '2012-10-17',
        Statement: [{ Action: 'execute-api:Invoke', Effect: 'Allow', Resource: API }],
      },
      context: { sub: CLAIMS.sub, client_id: CLAIMS.client_id, jti: CLAIMS.jti, roles: 'orders stock' },
    });
  });

  it.each(['Bearer ', 'bearer ', 'BEARER  '])('is let in with the scheme "%s"', async (scheme) => {
    expect(await decide(await sign(), { scheme })).toBe('Allow');
  });

  it('is let in when the successor of the key has signed it', async () => {
    expect(await decide(await sign({}, {}, successor))).toBe('Allow');
  });

  it('is let in without a role where none is needed, and denied where one is missing', async () => {
    expect(await decide(await without('scope'), { roles: [] })).toBe('Allow');
    expect(await decide(await without('scope'))).toBe('Deny');
    expect(await decide(await sign({ scope: 'orders' }), { roles: ['orders', 'stock'] })).toBe('Deny');
    expect(await decide(await sign({ scope: 'reorders orders2' }))).toBe('Deny');
  });
});

/** A token that a caller has changed after its signature. */
const withHeader = async (header: object) =>
  [Buffer.from(JSON.stringify(header)).toString('base64url'), ...(await sign()).split('.').slice(1)].join(
    '.',
  );

const secret = new TextEncoder().encode(JSON.stringify(key.publicJwk));
const REFUSED: Readonly<Record<string, () => Promise<string> | string>> = {
  'for another audience': () => sign({ aud: 'https://stock.example.com' }),
  'whose audience begins alike': () => sign({ aud: `${AUDIENCE}.evil.example` }),
  'for no audience': () => without('aud'),
  'of another issuer': () => sign({ iss: 'https://other.example.com' }),
  'of no issuer': () => without('iss'),
  'that has expired': () => sign({ exp: seconds }),
  'that never expires': () => without('exp'),
  'that is not valid yet': () => sign({ nbf: seconds + 1 }),
  'that names nobody': () => without('sub'),
  'without an ID': () => without('jti'),
  'of a session': () => sign({}, { alg: 'ES256', typ: 'JWT' }, session),
  'of another type, with the key of resources': () => sign({}, { typ: 'JWT' }),
  'without a type': () => sign({}, { typ: undefined as never }),
  'with the algorithm none': () => `${new UnsecuredJWT(CLAIMS).encode()}AA`,
  'whose algorithm was changed to none': () => withHeader({ alg: 'none', kid: key.kid, typ: 'at+jwt' }),
  'with HS256 and the public key as its secret': () =>
    sign({}, { alg: 'HS256' }, { kid: key.kid, key: secret }),
  'with ES256': () => sign({}, { alg: 'ES256' }, session),
  'with RS512': async () => {
    const { privateKey } = await generateKeyPair('RS512');
    return sign({}, { alg: 'RS512' }, { kid: key.kid, key: privateKey });
  },
  'of an unknown key': () => sign({}, {}, unpublished),
  'of an unknown key with the ID of a published one': () =>
    sign({}, {}, { kid: key.kid, key: unpublished.key }),
  'with a key in its header': async () =>
    sign({}, { jwk: await exportJWK((await generateKeyPair('RS256')).publicKey) }, { ...unpublished }),
  'whose claims were changed': async () => {
    const [header, , signature] = (await sign()).split('.');
    const claims = Buffer.from(JSON.stringify({ ...CLAIMS, scope: 'admin' })).toString('base64url');
    return [header, claims, signature].join('.');
  },
  'that is none': () => 'a.b.c',
};

describe('a token that is refused', () => {
  test.each(Object.entries(REFUSED))('%s', async (_what, token) => {
    expect(await decide(await token(), { roles: [] })).toBe('Unauthorized');
  });

  test.each(['', 'Basic ', 'Token ', 'Bearer a.b.c, Bearer '])('with the scheme "%s"', async (scheme) => {
    expect(await decide(await sign(), { scheme, roles: [] })).toBe('Unauthorized');
    expect(PRESENTED.test(scheme + (await sign()))).toBe(false);
  });

  it('sends no request to the instance for another algorithm', async () => {
    await decide(await sign({}, { alg: 'HS256' }, { kid: key.kid, key: secret }));
    expect(requests).toEqual([]);
  });
});

describe('the keys', () => {
  const PATH = '/.well-known/jwks.json';
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: NOW }));
  afterEach(() => void vi.useRealTimers());

  it('are fetched once for many tokens, also of unknown keys', async () => {
    const verify = verifier();
    for (const signer of [key, unpublished, successor, unpublished, key])
      await decide(await sign({}, {}, signer), { verify });
    expect(requests).toEqual([PATH]);
  });

  it('are fetched again for an unknown key after half a minute', async () => {
    const verify = verifier();
    await decide(await sign(), { verify });
    answer = { status: 200, body: JSON.stringify({ keys: [unpublished.publicJwk] }) };
    vi.setSystemTime(NOW + 29_999);
    expect(await decide(await sign({}, {}, unpublished), { verify })).toBe('Unauthorized');
    vi.setSystemTime(NOW + 30_001);
    expect(await decide(await sign({}, {}, unpublished), { verify })).toBe('Allow');
    expect(requests).toEqual([PATH, PATH]);
  });

  it('are forgotten after ten minutes, so that a revoked key ends', async () => {
    const verify = verifier();
    await decide(await sign(), { verify });
    answer = { status: 200, body: JSON.stringify({ keys: [successor.publicJwk] }) };
    vi.setSystemTime(NOW + 599_999);
    expect(await decide(await sign(), { verify })).toBe('Allow');
    vi.setSystemTime(NOW + 600_001);
    expect(await decide(await sign(), { verify })).toBe('Unauthorized');
  });

  it.each([
    ['an error', { status: 503, body: '{}' }],
    ['a redirect', { status: 302, body: published }],
    ['no JSON', { status: 200, body: '<html>' }],
    ['no key set', { status: 200, body: '{"error":"unavailable"}' }],
  ])(
    'are missing after %s: the function fails, and lets in nobody until they are there',
    async (_what, bad) => {
      const verify = verifier();
      answer = bad;
      expect(await decide(await sign(), { verify })).toMatch(/^The keys of http.* could not be read: /);
      answer = { status: 200, body: published };
      expect(await decide(await sign(), { verify })).toBe('Allow');
    },
  );

  it('are missing while nothing answers', async () => {
    const closed = await listen(createServer());
    await closed.close();
    const verify = tokenVerifier({ issuer: closed.url, audience: AUDIENCE, roles: [] }, () => NOW);
    const token = await sign({ iss: closed.url });
    expect(await decide(token, { verify })).toMatch(/ could not be read: /);
  });
});
