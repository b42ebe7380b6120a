import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import * as oauth from 'oauth4webapi';
import { expect, test } from 'vitest';
import { type Credential, createClient } from '#lib/client/index';
import { GRANT_TYPES, TOKEN_TYPES } from '#lib/oauth/grant-types';
import { serverOf } from '../strangers/clients.ts';
import { newFolder } from '../unit/support/folder.ts';
import { blocksIn } from './articles.ts';
import { startInstance } from './instance-process.ts';
import { tokenOfJob } from './issuers.ts';
import { administratorOf } from './machine.ts';
import { call, checkedFetch, newPasswordText, noted } from './service.ts';

const AUDIENCES = ['https://orders.example.com', 'https://stock.example.com/v2', 'urn:acme:mail'] as const;
const [ORDERS, STOCK] = AUDIENCES;
const instance = await startInstance({
  data: newFolder(),
  args: ['--memory', '--no-demo'],
  env: { Settings__Resources: JSON.stringify(AUDIENCES.map((audience) => ({ audience }))) },
});
const { url } = instance.ready;
const { post, createMachine } = administratorOf(instance);

const MACHINE = 'reconciler';
const ROLES = ['orders'];
await createMachine(MACHINE, ROLES);
const trust = { issuer: 'github', subject: 'repo:acme@65/shop@74:ref:refs/heads/main' };
await post(`trust/create/deploy/${MACHINE}`, { ...trust, claims: { repository_id: '74' } });
const token = noted(((await post(`token/create/nightly/${MACHINE}`)) as { value: string }).value);
const password = noted(newPasswordText());
const invited = (await post('account/create', { username: 'ada', roles: ROLES, invite_hours: 1 })) as {
  code: string;
};
await createClient({ url, fetch: checkedFetch }).account.password({
  username: 'ada',
  code: noted(invited.code),
  new_password: password,
});

const clientOf = (credential: Credential) => createClient({ url, credential, fetch: checkedFetch });
const sessionOf = async (username: string, secret: string) =>
  noted((await clientOf({ token }).account.login({ username, password: secret })).JWTtoken);

/** A service that verifies tokens by itself, with the keys that metadata name. */
const keys = createRemoteJWKSet(new URL(`${url}/.well-known/jwks.json`));
const accepts = (text: string, audience: string) =>
  jwtVerify(text, keys, { issuer: url, audience, typ: 'at+jwt', algorithms: ['RS256'] });

test.each<[string, string, () => Credential | Promise<Credential>]>([
  ['a password', 'ada', () => ({ username: 'ada', password })],
  ['an API token', MACHINE, () => ({ token })],
  ['a session', MACHINE, async () => ({ session: await sessionOf('api', token) })],
  [
    'the token of its platform',
    MACHINE,
    () => ({ identity: { trust: `deploy@${MACHINE}`, token: async () => noted(await tokenOfJob(url)) } }),
  ],
])('a client gets tokens of other services for %s, which they alone accept', async (_, username, given) => {
  const client = clientOf(await given());
  const tokens = await Promise.all(AUDIENCES.map(async (audience) => noted(await client.tokenFor(audience))));
  for (const [index, text] of tokens.entries())
    for (const audience of AUDIENCES) {
      const verified = accepts(text, audience);
      if (audience === AUDIENCES[index])
        expect((await verified).payload).toMatchObject({ roles: ROLES, scope: 'orders' });
      else await expect(verified).rejects.toMatchObject({ code: 'ERR_JWT_CLAIM_VALIDATION_FAILED' });
    }
  expect((await client.account.profile()).user.username).toBe(username);
  const { status } = await call('GET', '/api/core/account/profile', { jwt: tokens[0] as string, base: url });
  expect(status, 'of this API').toBe(401);
});

test('a client gets a token with the next session after a log out, and none for an unknown service', async () => {
  const client = clientOf({ username: 'ada', password });
  const first = noted(await client.tokenFor(ORDERS));
  await client.account.logout();
  const second = noted(await client.tokenFor(STOCK));
  const session = (text: string) => decodeJwt(text)['client_id'];
  expect(session(second)).not.toBe(session(first));
  await expect(client.tokenFor('https://unknown.example.com')).rejects.toMatchObject({
    name: 'CoreAccountError',
    operation: 'oauth.token',
    code: 'invalid_target',
    status: 400,
  });
});

test('a refusal leads to the endpoint that gives tokens of other services, and to their keys', async () => {
  const server = await serverOf(`${url}/api/core/account/profile`);
  expect(server).toMatchObject({
    issuer: url,
    jwks_uri: `${url}/.well-known/jwks.json`,
    grant_types_supported: expect.arrayContaining([GRANT_TYPES.client, GRANT_TYPES.exchange]),
  });
  const insecure = { [oauth.allowInsecureRequests]: true };
  const client = { client_id: 'any' };
  const parameters = {
    subject_token: await sessionOf('ada', password),
    subject_token_type: TOKEN_TYPES.access,
    resource: ORDERS,
  };
  const response = await oauth.genericTokenEndpointRequest(
    server,
    client,
    oauth.None(),
    GRANT_TYPES.exchange,
    parameters,
    insecure,
  );
  const issued = await oauth.processGenericTokenEndpointResponse(server, client, response);
  expect(issued).toMatchObject({ token_type: 'bearer', issued_token_type: TOKEN_TYPES.access });
  const authorization = `Bearer ${noted(issued.access_token)}`;
  const request = () => new Request(ORDERS, { headers: { authorization } });
  const claims = await oauth.validateJwtAccessToken(server, request(), ORDERS, insecure);
  expect(claims).toMatchObject({ aud: ORDERS, scope: 'orders' });
  await expect(oauth.validateJwtAccessToken(server, request(), STOCK, insecure)).rejects.toThrow(/aud/);
});

test('the lines of the documentation page get a token for a service', async () => {
  const [{ lines } = { lines: [] }] = blocksIn('infra/openapi/texts/services.md');
  const [last = ''] = lines.slice(-1);
  expect(last).toBe('curl $ORDERS -H "Authorization: Bearer $TOKEN"');
  const given = [`URL=${url}`, `SESSION=${await sessionOf('ada', password)}`];
  const script = [...given, ...lines.slice(0, -1), 'echo $ORDERS $TOKEN'].join('\n');
  const { stdout } = await promisify(execFile)('sh', ['-c', script]);
  const [audience = '', text = ''] = stdout.trim().split(' ');
  expect((await accepts(noted(text), audience)).payload).toMatchObject({ aud: ORDERS, roles: ROLES });
});
