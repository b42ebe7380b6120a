import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import { base64url, type Forge } from './forge.ts';
import { each, type Forgeries, testForgeries } from './forgeries.ts';

/** `none` in each of its 16 spellings, and in those that a careless reader takes for it. */
const NONE = Array.from({ length: 16 }, (_, bits) =>
  [...'none'].map((letter, at) => ((bits >> at) & 1 ? letter.toUpperCase() : letter)).join(''),
);
const NEARLY_NONE = [' none', 'none ', 'none\0', 'none\n', 'ｎone', 'non\u0435', 'null', 'undefined', '0'];

const withAlg =
  (alg: unknown, signature?: (input: string) => string) =>
  ({ mint }: Forge) =>
    mint({ header: { alg }, ...(signature && { signature }) });

const escapedNone: Forgeries = {
  'as an escaped text': ({ header: { kid }, mint }) =>
    mint({
      header: `{"alg":"\\u006eone","kid":"${kid}","typ":"at+jwt"}`,
      signature: () => '',
    }),
  'named twice, first rightly': ({ header: { kid }, mint }) =>
    mint({ header: `{"alg":"ES256","kid":"${kid}","typ":"at+jwt","alg":"none"}` }),
};

/** What everybody knows of an instance, taken for the secret of an HMAC. */
const SECRETS: Readonly<Record<string, (forge: Forge) => string | Buffer>> = {
  'the key as PEM': ({ publicKey }) => publicKey.export({ type: 'spki', format: 'pem' }),
  'the key as PEM without its last newline': ({ publicKey }) =>
    publicKey.export({ type: 'spki', format: 'pem' }).toString().trim(),
  'the key as PEM in one line': ({ publicKey }) =>
    publicKey.export({ type: 'spki', format: 'pem' }).toString().replaceAll('\n', ''),
  'the key as PEM with the line ends of Windows': ({ publicKey }) =>
    publicKey.export({ type: 'spki', format: 'pem' }).toString().replaceAll('\n', '\r\n'),
  'the key as DER': ({ publicKey }) => publicKey.export({ type: 'spki', format: 'der' }),
  'the key as DER in base64': ({ publicKey }) =>
    publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
  'the key as JWK': ({ publicKey }) => JSON.stringify(publicKey.export({ format: 'jwk' })),
  'the key as it is published': ({ jwks }) => JSON.stringify(JSON.parse(jwks).keys[0]),
  'the published keys': ({ jwks }) => jwks,
  'the coordinate x': ({ publicKey }) =>
    Buffer.from(publicKey.export({ format: 'jwk' }).x as string, 'base64url'),
  'the coordinate x as text': ({ publicKey }) => publicKey.export({ format: 'jwk' }).x as string,
  'the point': ({ publicKey }) => publicKey.export({ type: 'spki', format: 'der' }).subarray(-65),
  'the id of the key': ({ header }) => header['kid'] as string,
  'the issuer': ({ claims }) => claims['iss'] as string,
  'the stamp': ({ claims }) => claims['sst'] as string,
  nothing: () => '',
  'one zero byte': () => Buffer.alloc(1),
  'a usual word': () => 'secret',
};

const hmacs: Forgeries = Object.fromEntries(
  [256, 384, 512].flatMap((bits) =>
    Object.entries(SECRETS).map(([name, secret]) => [
      `HS${bits} with ${name}`,
      (forge: Forge) =>
        withAlg(`HS${bits}`, (input) =>
          createHmac(`sha${bits}`, secret(forge)).update(input).digest('base64url'),
        )(forge),
    ]),
  ),
);

// biome-ignore format: a list of words
const OTHER_ALGORITHMS = [
  'es256', 'Es256', 'ES256 ', 'ES-256', 'ES256K', 'ES384', 'ES512', 'HS256', 'RS256', 'PS256', 'EdDSA', 'Ed25519',
  'ML-DSA-44', 'ECDH-ES', 'dir', 'SHA256withECDSA', '', null, undefined, true, false, 0, 256, -7, {}, [], ['ES256'],
  ['none', 'ES256'],
];

const otherKeys: Readonly<Record<string, [alg: string, hash: string | null, key: () => KeyObject]>> = {
  ES384: ['ES384', 'sha384', () => generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey],
  ES512: ['ES512', 'sha512', () => generateKeyPairSync('ec', { namedCurve: 'P-521' }).privateKey],
  ES256K: ['ES256K', 'sha256', () => generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).privateKey],
  'ES256 on another curve': [
    'ES256',
    'sha256',
    () => generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey,
  ],
  RS256: ['RS256', 'sha256', () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey],
  EdDSA: ['EdDSA', null, () => generateKeyPairSync('ed25519').privateKey],
  'RS256 called ES256': [
    'ES256',
    'sha256',
    () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
  ],
  'EdDSA called ES256': ['ES256', null, () => generateKeyPairSync('ed25519').privateKey],
};

/** The key that anybody can compute: the private key 1, whose public key is the generator of the curve. */
const ONE = createPrivateKey({
  format: 'jwk',
  key: {
    kty: 'EC',
    crv: 'P-256',
    d: base64url(Buffer.concat([Buffer.alloc(31), Buffer.of(1)])),
    x: 'axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY',
    y: 'T-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU',
  },
});

testForgeries({
  'RFC 8725 2.1, 3.1: without a signature': each([...NONE, ...NEARLY_NONE], (alg) => withAlg(alg, () => '')),
  'RFC 8725 2.1, 3.1: without an algorithm, but with a signature': each([...NONE, ...NEARLY_NONE], (alg) =>
    withAlg(alg),
  ),
  'RFC 8725 2.1: none in disguise': escapedNone,
  'RFC 8725 2.1: the public key as the secret of': hmacs,
  'RFC 8725 3.1, 3.2: well signed, but with the algorithm': each(OTHER_ALGORITHMS, (alg) => withAlg(alg)),
  'RFC 8725 3.1, 3.2: another algorithm and a key of it:': each(otherKeys, ([alg, hash, key]) =>
    withAlg(alg, (input) => {
      const options = { key: key(), dsaEncoding: 'ieee-p1363' as const };
      return base64url(sign(hash, Buffer.from(input), options));
    }),
  ),
  'RFC 8725 3.4: a key of no secret:': {
    'the generator of the curve': ({ mint }) => mint({ key: ONE }),
    'the generator, with its own id': ({ mint }) =>
      mint({ key: ONE, header: { kid: 'one', jwk: createPublicKey(ONE).export({ format: 'jwk' }) } }),
  },
});
