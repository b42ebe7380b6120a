import { createHmac, createPrivateKey, randomBytes } from 'node:crypto';
import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { exportJWK } from 'jose';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { parsePrivateKey } from '#lib/session/key-version';
import { openSecrets } from '#lib/session/signing-key';
import { generateApiToken, hashApiToken } from '#lib/token/secret';
import { type Changes, claimsAt, ecdsa, forgeOf, newPair } from '../../unit/session/forge.ts';
import { createUser, get, noted, post, target, type User } from '../service.ts';
import { outcomesOf, REFUSED, sessionWays, tokenWays } from './ways.ts';

let user: User;
let other: User;
beforeAll(async () => {
  [user, other] = [await createUser(), await createUser()];
});

const seconds = () => Math.floor(Date.now() / 1000);

// Rules: test/unit/session/session-token.test.ts. These are samples of each kind on the assembled service.
describe.skipIf(inject('stack'))('a session token', () => {
  const stranger = newPair();
  let mint: (changes?: Changes) => string;
  let jwks: string;
  let jwk: object;
  beforeAll(async () => {
    const { runtime, signingKey: SecretId } = await target();
    const { SecretString } = await openSecrets().send(new GetSecretValueCommand({ SecretId }));
    const key = parsePrivateKey(SecretString);
    if (!key) throw new Error('The instance has no signing key');
    noted(key.d as string);
    const { id: sub, username: name, stamp: sst } = user.account;
    const claims = { ...claimsAt(seconds(), runtime.instanceName), sub, name, sst };
    const header = { alg: 'ES256', kid: key.kid, typ: 'at+jwt' };
    mint = forgeOf(header, claims, createPrivateKey({ key: { ...key }, format: 'jwk' }));
    jwks = (await get('/api/core/system/jwks')).text;
    jwk = await exportJWK(stranger.publicKey);
  });

  test('is accepted in every way when it is as the service signs it', async () => {
    expect(await outcomesOf(sessionWays(mint()))).toEqual([`200 ${user.username}`]);
  });

  const hmac = (secret: string) => (input: string) => createHmac('sha256', secret).update(input).digest();
  const spliced = (claims: object) => {
    const [header, , signature] = mint().split('.');
    return [header, mint({ claims: { ...claims } }).split('.')[1], signature].join('.');
  };
  test.each<[string, () => string]>([
    ['has algorithm none (RFC 8725 2.1)', () => mint({ header: { alg: 'none' }, sign: () => '' })],
    [
      'is keyed with the public key (RFC 8725 2.1)',
      () => mint({ header: { alg: 'HS256' }, sign: hmac(jwks) }),
    ],
    ['brings its key (RFC 8725 3.10)', () => mint({ header: { jwk }, sign: ecdsa(stranger.privateKey) })],
    ['was changed after signing (RFC 7515 5.2)', () => spliced({ exp: 9_999_999_999 })],
    ['is of another audience (RFC 8725 3.9)', () => mint({ claims: { aud: 'urn:core-account:another' } })],
    ['has expired (RFC 7519 4.1.4)', () => mint({ claims: { exp: seconds() - 6 } })],
    ['has the id of another account', () => mint({ claims: { sub: other.account.id } })],
    ['has the stamp of another account', () => mint({ claims: { sst: other.account.stamp } })],
  ])('is refused in every way when it %s', async (_name, forgery) => {
    expect(await outcomesOf(sessionWays(forgery()))).toEqual([REFUSED]);
  });
});

// Rules: test/unit/token/secret.test.ts.
describe('an API token', () => {
  let token: string;
  let deleted: string;
  beforeAll(async () => {
    [token, deleted] = [await user.token(), await user.token('deleted')];
    const reply = await post(`/api/core/token/delete/deleted/${user.username}`, { token });
    expect(reply.status).toBe(200);
  });

  test('is accepted in every way', async () => {
    expect(await outcomesOf(tokenWays(token))).toEqual([`200 ${user.username}`]);
  });

  test.each<[string, () => string]>([
    ['was deleted', () => deleted],
    ['was never made', () => noted(generateApiToken(randomBytes))],
    ['is its hash, as stored', () => hashApiToken(token)],
  ])('is refused in every way when it %s (API2:2023)', async (_name, forgery) => {
    expect(await outcomesOf(tokenWays(forgery()))).toEqual([REFUSED]);
  });
});
