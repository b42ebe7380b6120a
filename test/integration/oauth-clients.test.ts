import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { expect, test } from 'vitest';
import { baseUrl, createUser, type User } from './service.ts';

const SERVER = {
  issuer: baseUrl,
  introspection_endpoint: `${baseUrl}/api/core/oauth/introspect`,
  revocation_endpoint: `${baseUrl}/api/core/oauth/revoke`,
};
const INSECURE = { [oauth.allowInsecureRequests]: true };
const client = await createUser({ roles: ['sys_introspection'] });
const secret = await client.token();

/** The calls of each library, as its makers document them; the client is `api`, its secret an API token. */
const LIBRARIES: Readonly<
  Record<string, Record<'introspect' | 'revoke', (token: string) => Promise<unknown>>>
> = {
  oauth4webapi: {
    introspect: async (token) => {
      const [own, authentication] = [{ client_id: 'api' }, oauth.ClientSecretBasic(secret)];
      const response = await oauth.introspectionRequest(SERVER, own, authentication, token, INSECURE);
      return oauth.processIntrospectionResponse(SERVER, own, response);
    },
    revoke: async (token) => {
      const authentication = oauth.ClientSecretBasic(secret);
      const response = await oauth.revocationRequest(
        SERVER,
        { client_id: 'api' },
        authentication,
        token,
        INSECURE,
      );
      return oauth.processRevocationResponse(response);
    },
  },
  'openid-client': {
    introspect: (token) => openid.tokenIntrospection(configuration(), token),
    revoke: (token) => openid.tokenRevocation(configuration(), token),
  },
};

function configuration() {
  const own = new openid.Configuration(SERVER, 'api', secret, openid.ClientSecretBasic(secret));
  openid.allowInsecureRequests(own);
  return own;
}

const KINDS: readonly [string, (user: User) => Promise<string>][] = [
  ['an API token', (user) => user.token()],
  ['a session token', (user) => user.logIn()],
];

test.each(
  Object.entries(LIBRARIES).flatMap(([name, library]) =>
    KINDS.map((kind) => [name, ...kind, library] as const),
  ),
)('%s inspects and revokes %s', async (_name, _kind, open, { introspect, revoke }) => {
  const user = await createUser({ roles: ['orders'] });
  const credential = await open(user);
  expect(await introspect(credential)).toMatchObject({
    active: true,
    username: user.username,
    scope: 'orders',
  });
  await revoke(credential);
  expect(await introspect(credential)).toEqual({ active: false });
});

test('oauth4webapi accepts a session token as a JWT access token (RFC 9068)', async () => {
  const user = await createUser();
  const jwt = await user.logIn();
  const [, payload = ''] = jwt.split('.');
  const { iss: issuer, aud, client_id } = JSON.parse(Buffer.from(payload, 'base64url').toString());
  expect(client_id).toBe(aud);
  const request = new Request('https://orders.example', { headers: { authorization: `Bearer ${jwt}` } });
  const server = { issuer, jwks_uri: `${baseUrl}/api/core/system/jwks` };
  const claims = await oauth.validateJwtAccessToken(server, request, aud, INSECURE);
  expect(claims).toMatchObject({ sub: user.account.id, name: user.username });
});
