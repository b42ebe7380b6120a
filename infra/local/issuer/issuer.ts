import { randomUUID } from 'node:crypto';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import type { Platform } from '#lib/trust/issuers';
import { FORMS, type TokenClaims } from './forms.ts';

type Algorithm = 'RS256' | 'ES384';

interface Pair {
  readonly kid: string;
  readonly alg: Algorithm;
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
}

/** What a token has besides the claims of its platform. */
export interface TokenOptions {
  readonly audience: string | readonly string[];
  /** Claims that replace those of the example, which other claims are derived from; `null` leaves one out. */
  readonly claims?: TokenClaims;
  readonly alg?: Algorithm;
}

export type PlatformIssuer = ReturnType<typeof platformIssuer>;

/**
 * An issuer with keys of its own, which gives tokens in the form of a platform. Its keys are generated at the first use.
 *
 * @param url its identifier
 * @param now the time of issue, in milliseconds since the epoch
 */
export function platformIssuer(platform: Platform, url: string, now: () => number) {
  const form = FORMS[platform];
  let generated: Promise<readonly Pair[]> | undefined;
  const pairs = () => {
    generated ??= Promise.all(form.algorithms.map(generatePair));
    return generated;
  };
  return {
    platform,
    url,
    keysPath: form.keys,
    metadata: () => ({
      issuer: url,
      jwks_uri: `${url}${form.keys}`,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: form.algorithms,
    }),
    keySet: async () => ({ keys: (await pairs()).map(({ publicJwk }) => publicJwk) }),
    /** The keys that sign; the first one by default. */
    pairs,
    /** Replaces the keys: tokens of the former ones stay valid only where these are cached. */
    async rotate() {
      generated = undefined;
      await pairs();
    },
    async token({ audience, claims: given = {}, alg = form.algorithms[0] }: TokenOptions): Promise<string> {
      const pair = (await pairs()).find((one) => one.alg === alg);
      if (!pair) throw new Error(`${platform} does not sign with ${alg}`);
      const { privateKey, kid } = pair;
      const iat = Math.floor(now() / 1000);
      const claims = {
        iss: url,
        aud: form.listsAudience ? [audience].flat() : audience,
        iat,
        ...(form.beginsBefore === undefined ? {} : { nbf: iat - form.beginsBefore }),
        exp: iat + form.seconds,
        ...(form.hasId ? { jti: randomUUID() } : {}),
        ...form.claims(given),
      };
      const kept = Object.entries(claims).filter(([, value]) => value !== null);
      return new SignJWT(Object.fromEntries(kept))
        .setProtectedHeader({ alg, kid, typ: 'JWT' })
        .sign(privateKey);
    },
  };
}

async function generatePair(alg: Algorithm): Promise<Pair> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const kid = randomUUID();
  return { kid, alg, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}
