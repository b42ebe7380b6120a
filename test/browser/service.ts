import { createServer } from 'node:http';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { afterAll } from 'vitest';
import { listen } from '../../infra/local/machine/listen.ts';

const CORS = { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'authorization' };

/**
 * A service of another origin until the test file ends. It answers pages the roles of a token that it has verified by itself.
 *
 * @param issuer URL of the instance, which starts later
 */
export async function openService(issuer: () => string) {
  let keys: ReturnType<typeof createRemoteJWKSet> | undefined;
  const rolesIn = async (authorization = '') => {
    keys ??= createRemoteJWKSet(new URL(`${issuer()}/.well-known/jwks.json`));
    const token = authorization.replace(/^Bearer /, '');
    const rules = { issuer: issuer(), audience: url, typ: 'at+jwt', algorithms: ['RS256'] };
    return (await jwtVerify(token, keys, rules)).payload['roles'];
  };
  const server = createServer(async ({ method, headers }, response) => {
    if (method === 'OPTIONS') return response.writeHead(204, CORS).end();
    const roles = await rolesIn(headers.authorization).catch(() => undefined);
    return response.writeHead(roles ? 200 : 401, CORS).end(JSON.stringify({ roles }));
  });
  const { url, close } = await listen(server);
  afterAll(close);
  return url;
}
