import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { GRANT_TYPES, TOKEN_TYPES } from '#lib/oauth/grant-types';
import { tokenOfJob } from './issuers.ts';
import { ORDERS } from './resources.ts';
import { administrator, baseUrl, checkedFetch, createUser, get, noted, post, uniqueName } from './service.ts';

interface Metadata {
  readonly issuer: string;
  readonly jwks_uri: string;
}
const { issuer, jwks_uri } = (await (
  await checkedFetch(`${baseUrl}/.well-known/openid-configuration`)
).json()) as Metadata;

/** The verifier of another service, which fetches keys once. */
const keys = createRemoteJWKSet(new URL(new URL(jwks_uri).pathname, baseUrl));
const verify = (token: string, audience = ORDERS) =>
  jwtVerify(token, keys, { issuer, audience, algorithms: ['RS256'], typ: 'at+jwt' });

async function tokenFor(form: Readonly<Record<string, string>>) {
  const reply = await post('/api/core/oauth/token', { form: { resource: ORDERS, ...form } });
  expect(reply.status, reply.text).toBe(200);
  return noted((reply.body as unknown as { readonly access_token: string }).access_token);
}
const exchanged = (subject_token: string) =>
  tokenFor({
    grant_type: GRANT_TYPES.exchange,
    subject_token,
    subject_token_type: TOKEN_TYPES.access,
  });

const user = await createUser({ roles: ['orders', 'sys_introspection'] });

test('another service verifies tokens of a session, an API token and a job by itself', async () => {
  const session = await user.logIn();
  const token = await user.token();
  const username = uniqueName('ci');
  const { username: owner } = (await administrator.account.profile()).user;
  await administrator.account.create({ username, kind: 'machine', owner, roles: ['orders'] });
  await administrator.trust.create({
    ...{ trust_name: 'deploy', username, issuer: 'github' },
    subject: 'repo:acme@65/shop@74:ref:refs/heads/main',
    claims: { repository_id: '74' },
  });
  const name = `deploy@${username}`;
  const assertion = noted(await tokenOfJob(issuer));
  const issued = {
    session: await exchanged(session),
    'API token': await exchanged(token),
    client: await tokenFor({ grant_type: GRANT_TYPES.client, client_secret: token }),
    job: await tokenFor({ grant_type: GRANT_TYPES.assertion, client_id: name, assertion }),
  };
  for (const [of, text] of Object.entries(issued)) {
    const { payload } = await verify(text);
    expect(payload, of).toMatchObject({ aud: ORDERS, scope: 'orders', roles: ['orders'] });
    if (of !== 'job') expect(payload.sub).toBe(user.account.id);
    await expect(verify(text, 'https://billing.example.com')).rejects.toMatchObject({ claim: 'aud' });
  }
});

test('this service refuses a token for another one in each place, and sessions are none', async () => {
  const session = await user.logIn();
  const text = await exchanged(session);
  for (const request of [{ jwt: text }, { token: text }, { headers: { cookie: `ptoken=${text}` } }])
    expect((await get('/api/core/account/profile', request)).status).toBe(401);
  expect((await get(`/api/core/account/profile?ptoken=${text}`)).status).toBe(401);
  const again = await post('/api/core/oauth/token', {
    form: {
      ...{ grant_type: GRANT_TYPES.exchange, subject_token: text, resource: ORDERS },
      subject_token_type: TOKEN_TYPES.access,
    },
  });
  expect(again.body).toMatchObject({ error: 'invalid_request' });
  const inspected = await post('/api/core/oauth/introspect', { jwt: session, form: { token: text } });
  expect(inspected.body).toEqual({ active: false });
  await expect(verify(session)).rejects.toThrow();
});

test('no token for another service follows a logout, and those before it work until their end', async () => {
  const session = await user.logIn();
  const before = await exchanged(session);
  await get('/api/core/account/logout', { jwt: session });
  const after = await post('/api/core/oauth/token', {
    form: {
      ...{ grant_type: GRANT_TYPES.exchange, subject_token: session, resource: ORDERS },
      subject_token_type: TOKEN_TYPES.access,
    },
  });
  expect(after.body).toMatchObject({ error: 'invalid_request' });
  const { payload } = await verify(before);
  expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(300);
});

test('the key set is served as the other well-known documents, also to HEAD and to a known tag', async () => {
  const path = new URL(jwks_uri).pathname;
  const answered = await checkedFetch(`${baseUrl}${path}`, {
    headers: { origin: 'https://any.example.com' },
  });
  const { keys: published } = (await answered.json()) as { keys: { kid: string }[] };
  expect(published.length).toBeGreaterThanOrEqual(2);
  const { kid } = decodeProtectedHeader(await exchanged(await user.logIn()));
  expect(published.map((key) => key.kid)).toContain(kid);
  expect(answered.headers.get('access-control-allow-origin')).toBe('*');
  expect(answered.headers.get('cache-control')).toBe('public, max-age=3600, s-maxage=300');
  const etag = answered.headers.get('etag') ?? '';
  const head = await checkedFetch(`${baseUrl}${path}`, { method: 'HEAD' });
  expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, '']);
  const known = await checkedFetch(`${baseUrl}${path}`, { headers: { 'if-none-match': etag } });
  expect([known.status, await known.text()]).toEqual([304, '']);
});
