import { importJWK, jwtVerify } from 'jose';
import { signerOf } from '../session/key-version.ts';
import { readPublicKeys } from '../session/public-keys.ts';
import type { Rotated } from '../session/rotation.ts';
import { rotateResourceKey } from './jobs.ts';
import { RESOURCE_KEYS } from './key-use.ts';
import { signResourceToken } from './resource-token.ts';

/** The rotation of the keys of tokens for other services. */
export const OF_RESOURCES: Rotated = {
  use: RESOURCE_KEYS,
  action: rotateResourceKey.id,
  async prove({ table, now }, jwk) {
    const published = (await readPublicKeys(table, now(), RESOURCE_KEYS)).find(
      (item) => item.jwk.kid === jwk.kid,
    );
    if (!published) throw new Error('The pending key is not published');
    const iat = Math.floor(now() / 1000);
    const names = { iss: 'test', aud: 'test', sub: 'test', client_id: 'test', jti: 'test' };
    const token = await signResourceToken(signerOf(jwk), { ...names, roles: [], iat, exp: iat + 60 });
    await jwtVerify(token, await importJWK(published.jwk, 'RS256'), {
      algorithms: ['RS256'],
      currentDate: new Date(now()),
    });
  },
};
