import { exportJWK, generateKeyPair, generateSecret } from 'jose';
import { describe, expect, test } from 'vitest';
import {
  type Issuer,
  issuersFromEnvironment,
  issuersIn,
  MAX_ISSUERS,
  MAX_KEYS,
  platformOf,
} from '#lib/trust/issuers';

const GITLAB = { name: 'gitlab', issuer: 'https://gitlab.com' };
const read = (...entries: readonly object[]) => issuersIn(JSON.stringify(entries));
const one = (entry: object) => read(entry)[0] as Issuer;
const faultOf = (list: unknown, allowsLocal = false) => {
  try {
    issuersIn(typeof list === 'string' ? list : JSON.stringify(list), allowsLocal);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};
/** The fault of an identifier, without what names it. */
const faultOfUrl = (issuer: string, allowsLocal = false) =>
  faultOf([{ name: 'one', issuer }], allowsLocal)?.replace('Settings:Issuers: "one" (1) issuer: ', '');

test('an empty setting has no issuers', () => {
  expect(issuersIn('')).toEqual([]);
  expect(issuersFromEnvironment({ Issuers: '' })).toEqual([]);
});

test.each([
  ['github', true, 'https://token.actions.githubusercontent.com'],
  ['github', true, 'https://token.actions.githubusercontent.com/acme'],
  ['github', true, 'https://token.actions.acme.ghe.com'],
  ['gitlab', false, 'https://gitlab.com'],
  ['google', false, 'https://accounts.google.com'],
  ['aws', true, 'https://a1b2c3d4-1111-2222-3333-444455556666.tokens.sts.global.api.aws'],
  ['kubernetes', false, 'https://oidc.eks.eu-central-1.amazonaws.com/id/0A1B2C3D4E5F'],
  ['kubernetes', false, 'https://container.googleapis.com/v1/projects/p/locations/l/clusters/c'],
  ['kubernetes', false, 'https://westeurope.oic.prod-aks.azure.com/1111/2222/'],
])(
  'the platform of a known issuer is %s, whose tokens are for one use: %s (%s)',
  (platform, single_use, issuer) => {
    expect(one({ name: 'one', issuer })).toEqual({ name: 'one', issuer, platform, single_use });
  },
);

test.each([
  'https://gitlab.com/',
  'https://gitlab.com.example.com',
  'https://example.com/https://gitlab.com',
  'https://x.example.com/token.actions.githubusercontent.com',
])('an issuer that looks like a known one is another one: %s', (issuer) => {
  expect(platformOf(issuer)).toBeUndefined();
  expect(one({ name: 'one', issuer })).toMatchObject({ platform: 'other', single_use: false, issuer });
});

test('what an entry says replaces the defaults of its platform', () => {
  const given = {
    issuer: 'https://git.example.com',
    platform: 'gitlab',
    audience: 'urn:x',
    single_use: true,
  };
  expect(one({ name: 'own', ...given })).toEqual({ name: 'own', ...given });
});

describe('an identifier', () => {
  test.each([
    'https://a.example',
    'https://a.example/',
    'https://a.example/b/',
    'https://kubernetes.default.svc',
  ])('stays as it is given: %s', (issuer) => {
    expect(one({ name: 'one', issuer }).issuer).toBe(issuer);
  });

  test.each([
    ['http://a.example', 'Must be an https URL'],
    ['ftp://a.example', 'Must be an https URL'],
    ['a.example', 'Must be an https URL'],
    ['', 'Must be an https URL'],
    ['https://a.example:443', 'Must not have a port'],
    ['https://a.example:8443/b', 'Must not have a port'],
    ['https://ada@a.example', 'Must not have a user or a password'],
    ['https://a.example?b', 'Must not have a query or a fragment'],
    ['https://a.example?', 'Must not have a query or a fragment'],
    ['https://a.example/#', 'Must not have a query or a fragment'],
    ['https://203.0.113.1', 'Must not have an IP address as its host'],
    ['https://3405803777', 'Must not have an IP address as its host'],
    ['https://0x7f.1/b', 'Must not have an IP address as its host'],
    ['https://[2001:db8::1]', 'Must not have an IP address as its host'],
    ['https://A.example', 'Must be written as https://a.example'],
    ['https://a.example/b/../c', 'Must be written as https://a.example/c'],
    [' https://a.example', 'Must be written as https://a.example'],
    ['http://localhost:3100/github', 'Must be an https URL'],
  ])('is refused on AWS: %j', (issuer, fault) => {
    expect(faultOfUrl(issuer)).toBe(fault);
  });

  test.each([
    'http://localhost/a',
    'http://localhost:3100/github',
    'http://localhost:3100',
    'https://a.example',
  ])('may be at localhost on a local instance: %s', (issuer) => {
    expect(faultOfUrl(issuer, true)).toBeUndefined();
    const Issuers = JSON.stringify([{ name: 'one', issuer }]);
    expect(issuersFromEnvironment({ Issuers })).toMatchObject([{ issuer }]);
  });

  test.each([
    ['http://localhost.example.com', 'Must be an https URL, or an http URL of localhost'],
    ['http://127.0.0.1:3100', 'Must be an https URL, or an http URL of localhost'],
    ['http://localhost@a.example', 'Must be an https URL, or an http URL of localhost'],
    ['http://ada@localhost:3100', 'Must be an https URL, or an http URL of localhost'],
    ['http://localhost:3100/?a', 'Must not have a query or a fragment'],
    ['http://localhost:80/a', 'Must be written as http://localhost/a'],
  ])('is refused on a local instance, too: %s', (issuer, fault) => {
    expect(faultOfUrl(issuer, true)).toBe(fault);
  });
});

test.each<[string, unknown]>([
  ['Settings:Issuers expects a JSON list of issuers', '[{'],
  ['Settings:Issuers: Must be a list', GITLAB],
  ['Settings:Issuers: (2) name: Is required', [GITLAB, { issuer: 'https://a.example' }]],
  ['Settings:Issuers: "gitlab" (1) isuer: Unknown property', [{ ...GITLAB, isuer: 'x' }]],
  ['Settings:Issuers: "gitlab" (1) audience: Must have at least 1 character', [{ ...GITLAB, audience: '' }]],
  ['Settings:Issuers: "gitlab" (1) audience: Must be a text', [{ ...GITLAB, audience: ['a'] }]],
  ['Settings:Issuers: "gitlab" (1) single_use: Must be true or false', [{ ...GITLAB, single_use: 'yes' }]],
  ['Settings:Issuers: "gitlab" (1) platform: Must be gitlab or absent', [{ ...GITLAB, platform: 'other' }]],
  [
    'Settings:Issuers: "x" (1) platform: Must be github or gitlab or kubernetes or google or aws or other',
    [{ name: 'x', issuer: 'https://a.example', platform: 'azure' }],
  ],
  [
    'Settings:Issuers: "gitlab" (2) name: Must not be repeated\nSettings:Issuers: "gitlab" (2) issuer: Must not be repeated',
    [GITLAB, GITLAB],
  ],
  ...['GitLab', '-a', 'a-', 'a--b', 'a_b', 'a b', ''].map((name): [string, unknown] => [
    `Settings:Issuers: "${name}" (1) name: Must consist of a-z and 0-9, with single hyphens in between`,
    [{ ...GITLAB, name }],
  ]),
  ['Settings:Issuers: "gitlab" (1) jwks: Must be an object', [{ ...GITLAB, jwks: '{"keys":[]}' }]],
  [
    'Settings:Issuers: "gitlab" (1) jwks.keys: Must have at least 1 item',
    [{ ...GITLAB, jwks: { keys: [] } }],
  ],
  [
    `Settings:Issuers: Must have at most ${MAX_ISSUERS} items`,
    Array.from({ length: MAX_ISSUERS + 1 }, (_, n) => ({ name: `n${n}`, issuer: `https://a${n}.example` })),
  ],
])('a fault is named: %s', (fault, list) => {
  expect(faultOf(list)).toBe(fault);
});

test('issuers that differ by a final slash are two', () => {
  const both = [GITLAB, { name: 'slash', issuer: 'https://gitlab.com/' }];
  expect(read(...both).map(({ issuer }) => issuer)).toEqual(['https://gitlab.com', 'https://gitlab.com/']);
});

const pair = (alg: string, options = {}) => generateKeyPair(alg, { extractable: true, ...options });
const publicKey = async (alg: string, options = {}) => exportJWK((await pair(alg, options)).publicKey);

describe('pasted keys', () => {
  const faultOfKey = (key: unknown) =>
    faultOf([{ ...GITLAB, jwks: { keys: [key] } }])?.replace('Settings:Issuers: "gitlab" (1) ', '');

  test.each(['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'])(
    'may be of %s, with or without `alg` and `use`',
    async (alg) => {
      const jwk = await publicKey(alg);
      expect(faultOfKey(jwk)).toBeUndefined();
      expect(faultOfKey({ ...jwk, alg, use: 'sig', kid: 'a' })).toBeUndefined();
    },
  );

  test('lose what no verification uses', async () => {
    const jwk = { ...(await publicKey('ES256')), kid: 'a', use: 'sig', alg: 'ES256' };
    const jwks = { keys: [{ ...jwk, x5c: ['MII'], key_ops: ['verify'] }], more: 1 };
    expect(one({ ...GITLAB, jwks }).jwks).toEqual({ keys: [jwk] });
  });

  test('may be 50, and no more', async () => {
    const jwk = await publicKey('EdDSA');
    const jwks = (length: number) => ({ keys: Array.from({ length }, () => jwk) });
    expect(faultOf([{ ...GITLAB, jwks: jwks(MAX_KEYS) }])).toBeUndefined();
    expect(faultOf([{ ...GITLAB, jwks: jwks(MAX_KEYS + 1) }])).toContain(
      'jwks.keys: Must have at most 50 items',
    );
  });

  test('must be usable', async () => {
    const rsa = await publicKey('RS256');
    const ec = await publicKey('ES256');
    const secret = 'jwks.keys.0: Must be a public key: this one is a secret';
    const kind = 'jwks.keys.0: Must be a key of RSA, P-256, P-384 or Ed25519';
    const faults: [unknown, string][] = [
      [await exportJWK((await pair('RS256')).privateKey), secret],
      [await exportJWK((await pair('EdDSA')).privateKey), secret],
      [await exportJWK(await generateSecret('HS256', { extractable: true })), secret],
      [{ ...ec, d: 'AA' }, secret],
      [await publicKey('ES512'), kind],
      [{ ...ec, crv: 'secp256k1' }, kind],
      [{ kty: 'EC' }, kind],
      [{}, kind],
      ['a', 'jwks.keys.0: Must be an object'],
      [null, 'jwks.keys.0: Must be an object'],
      [
        { ...rsa, use: 'enc' },
        'jwks.keys.0: Must be a key for signatures, with `use` "sig" or without `use`',
      ],
      [{ ...rsa, alg: 'RS512' }, 'jwks.keys.0: Must have `alg` RS256 or PS256, or none'],
      [{ ...rsa, alg: 'HS256' }, 'jwks.keys.0: Must have `alg` RS256 or PS256, or none'],
      [{ ...ec, alg: 'ES384' }, 'jwks.keys.0: Must have `alg` ES256, or none'],
      [{ ...rsa, kid: 1 }, 'jwks.keys.0: Must have texts as kid'],
      [{ ...rsa, n: rsa.n?.slice(0, 171) }, 'jwks.keys.0: Must have at least 2048 bits'],
      [{ ...rsa, e: 'AQ' }, 'jwks.keys.0: Must have an exponent of at least 3'],
      [{ ...ec, y: ec.x }, 'jwks.keys.0: Must have the numbers of a key'],
      [{ kty: 'RSA' }, 'jwks.keys.0: Must have the numbers of a key'],
    ];
    expect(faults.map(([key]) => faultOfKey(key))).toEqual(faults.map(([, fault]) => fault));
  });
});
