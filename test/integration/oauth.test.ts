import {
  CreateSecretCommand,
  DeleteSecretCommand,
  PutSecretValueCommand,
} from '@aws-sdk/client-secrets-manager';
import type { APIGatewayRequestAuthorizerEventV2 } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { openSecrets } from '#lib/session/signing-key';
import { logLines } from '../unit/support/log-lines.ts';
import { baseUrl, clientOf, createUser, target, type User, uniqueName } from './service.ts';

const server = await createUser({ roles: ['sys_introspection'] });
const serverToken = await server.token();
const { oauth } = clientOf({ token: serverToken });

describe('the authorizer', () => {
  const lines = logLines();
  const SECRET = uniqueName('token-of-the-authorizer');
  const created: string[] = [];
  let user: User;
  let token: string;
  /** Creates a secret in the store of the service under test. */
  async function createSecret(Name: string, SecretString: string): Promise<void> {
    await target();
    await openSecrets().send(new CreateSecretCommand({ Name, SecretString }));
    created.push(Name);
  }
  beforeAll(async () => {
    await createSecret(SECRET, `${serverToken}\n`);
    user = await createUser({ roles: ['orders', 'stock'] });
    token = await user.token();
  });

  // The store of a local instance ends with it.
  afterAll(async () => {
    for (const SecretId of inject('stack') ? created : [])
      await openSecrets().send(new DeleteSecretCommand({ SecretId, ForceDeleteWithoutRecovery: true }));
  });

  /** Opens the function as Lambda does: with an environment of its own. */
  async function openAuthorizer(url = baseUrl, secret = SECRET) {
    vi.stubEnv('CORE_ACCOUNT_URL', url).stubEnv('CORE_ACCOUNT_SECRET', secret);
    vi.stubEnv('CORE_ACCOUNT_ROLES', '["orders","stock"]').resetModules();
    const { handler } = await import('../../infra/aws/authorizer/function.ts');
    return (headers: Record<string, string>, method = 'GET', sourceIp = '192.0.2.1') =>
      handler({
        headers,
        cookies: [`ptoken=${token}`],
        rawQueryString: `ptoken=api:${token}`,
        requestContext: { http: { method, sourceIp } },
      } as unknown as APIGatewayRequestAuthorizerEventV2);
  }
  const presenting = (value: string) => ({ authorization: `Token ${value}` });
  const REFUSED = { isAuthorized: false, context: {} };
  const permitted = () => ({
    isAuthorized: true,
    context: { username: user.username, sub: user.account.id, roles: ['orders', 'stock'] },
  });

  test('permits a valid credential in each header until it ends', async () => {
    const ask = await openAuthorizer();
    const jwt = await user.logIn();
    const basic = `Basic ${Buffer.from(`api:${token}`).toString('base64')}`;
    for (const authorization of [`Token ${token}`, basic, `Bearer ${jwt}`])
      expect(await ask({ authorization }, 'POST')).toEqual(permitted());
    await oauth.revoke({ token: jwt, token_type_hint: 'x' });
    expect(await ask({ authorization: `Bearer ${jwt}` })).toEqual(REFUSED);
  });

  test('refuses requests without a usable credential, and a caller without the role', async () => {
    const ask = await openAuthorizer();
    const other = await (await createUser({ roles: ['stock'] })).token();
    const refused: Record<string, string>[] = [
      {},
      { authorization: 'Token x' },
      { authorization: `Bearer ${token}` },
    ];
    for (const headers of [...refused, presenting(other)]) expect(await ask(headers)).toEqual(REFUSED);
  });

  test.each([
    ['GET', '192.0.2.1', true],
    ['GET', '2001:db8::1', true],
    ['HEAD', '192.0.2.1', false],
    ['POST', '192.0.2.1', false],
    ['GET', '198.51.100.1', false],
    ['GET', 'unknown', false],
  ])('compares the limits of a token with %s from %s', async (method, address, isAuthorized) => {
    const addresses = ['192.0.2.0/24', '2001:db8::/32'];
    const narrow = await user.token(undefined, { access: 'read', addresses });
    const ask = await openAuthorizer();
    expect(await ask(presenting(narrow), method, address)).toMatchObject({ isAuthorized });
  });

  test.each([
    ['the instance is unreachable', 'http://127.0.0.1:1', SECRET],
    ['the instance answers something else', `${baseUrl}/api/core/docs`, SECRET],
    ['its secret is missing', baseUrl, 'missing'],
  ])('fails without the credential in its log when %s', async (_, url, secret) => {
    const ask = await openAuthorizer(url, secret);
    await expect(ask(presenting(token))).rejects.toThrow('The credential could not be checked');
    expect(lines).toEqual([expect.objectContaining({ level: 'error' })]);
    expect(JSON.stringify(lines)).not.toContain(token);
  });

  test('reads its secret again after a refusal', async () => {
    const name = uniqueName('rotated');
    const ask = await openAuthorizer(baseUrl, name);
    await createSecret(name, await user.token());
    await expect(ask(presenting(token))).rejects.toThrow();
    const SecretString = serverToken;
    await openSecrets().send(new PutSecretValueCommand({ SecretId: name, SecretString }));
    expect(await ask(presenting(token))).toEqual(permitted());
  });
});
