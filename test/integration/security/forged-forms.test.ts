import { createCipheriv, createHash, diffieHellman, generateKeyPairSync } from 'node:crypto';
import { base64url, type Forge } from './forge.ts';
import { each, type Forgeries, testForgeries } from './forgeries.ts';

/** A good token, its three parts changed after signing. */
const parts =
  (change: (header: string, claims: string, signature: string) => readonly string[]) =>
  ({ mint }: Forge) =>
    change(...(mint().split('.') as [string, string, string])).join('.');

const whole = (change: (token: string, forge: Forge) => string) => (forge: Forge) =>
  change(forge.mint(), forge);

/** What stands for a header or claims, well signed. */
const TEXTS = {
  null: 'null',
  true: 'true',
  'a number': '1',
  'a text': '"x"',
  'a list': '[]',
  'an empty object': '{}',
  half: '{"alg":"ES256"',
  'a form': 'alg=ES256',
  'a comment': '{"alg":"ES256"/**/}',
  'single quotes': "{'alg':'ES256'}",
  'bytes that are not UTF-8': Buffer.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d),
  'UTF-16': Buffer.from('{"alg":"ES256"}', 'utf16le'),
  'deep nesting': `${'['.repeat(1500)}${']'.repeat(1500)}`,
  'an object and more': '{"alg":"ES256"}x',
  XML: '<alg>ES256</alg>',
};

/** Base64 with the other alphabet or padding; every text here is long enough to need one or the other. */
const standard = (part: string) => Buffer.from(part, 'base64url').toString('base64');
const padded = (part: string) => `${part}${'='.repeat((4 - (part.length % 4)) % 4) || '='}`;
const split = (by: string) => (part: string) => part.slice(0, 9) + by + part.slice(9);

const SPELLINGS: Readonly<Record<string, (part: string) => string>> = {
  'in base64': (part) => `${standard(part)}${/[+/=]/.test(standard(part)) ? '' : '='}`,
  padded,
  'padded thrice': (part) => `${part}===`,
  'with a space': split(' '),
  'with a line end': split('\n'),
  'with a tab': split('\t'),
  'with a zero byte': split('\0'),
  'with a character of no alphabet': split('!'),
  'percent-encoded': (part) => `%${part.charCodeAt(0).toString(16)}${part.slice(1)}`,
  'with one more character': (part) => `${part}A`,
  'in hex': (part) => Buffer.from(part, 'base64url').toString('hex'),
  'in quotes': (part) => `"${part}"`,
};

const spelled: Forgeries = Object.fromEntries(
  Object.entries(SPELLINGS).flatMap(([name, spell]) => [
    [`the header ${name}`, parts((h, c, s) => [spell(h), c, s])],
    [`the claims ${name}`, parts((h, c, s) => [h, spell(c), s])],
    [`the signature ${name}`, parts((h, c, s) => [h, c, spell(s)])],
  ]),
);

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Of the last character of a signature two bits count: 15 others decode alike. */
const alike: Forgeries = Object.fromEntries(
  Array.from({ length: 15 }, (_, n) => [
    `spelling ${n + 1}`,
    whole((token) => token.slice(0, -1) + ALPHABET[ALPHABET.indexOf(token.slice(-1)) ^ (n + 1)]),
  ]),
);

const COUNTS: Forgeries = {
  'nothing but a dot': () => '.',
  'two dots': () => '..',
  'one part': parts((h) => [h]),
  'two parts': parts((h, c) => [h, c]),
  'four parts': parts((h, c, s) => [h, c, s, s]),
  'five parts': parts((h, c, s) => [h, c, s, s, s]),
  'a dot before': whole((token) => `.${token}`),
  'a dot behind': whole((token) => `${token}.`),
  'a dot twice': whole((token) => token.replace('.', '..')),
  'no header': parts((_, c, s) => ['', c, s]),
  'no claims': parts((h, _, s) => [h, '', s]),
  'no signature': parts((h, c) => [h, c, '']),
  'a dot of another alphabet': whole((token) => token.replace('.', '．')),
  'colons for dots': whole((token) => token.replaceAll('.', ':')),
  'another token behind': whole((token, { mint }) => `${token}.${mint()}`),
  'another token after a space': whole((token, { mint }) => `${token} ${mint()}`),
};

/** JWE in its compact form: the public key of the instance as that of a recipient (RFC 8725 2.5). */
function encrypted({ publicKey, mint }: Forge, text = mint()): string {
  const ephemeral = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const epk = ephemeral.publicKey.export({ format: 'jwk' });
  const header = base64url(JSON.stringify({ alg: 'ECDH-ES', enc: 'A256GCM', cty: 'JWT', epk }));
  const secret = diffieHellman({ privateKey: ephemeral.privateKey, publicKey });
  const iv = Buffer.alloc(12);
  const cipher = createCipheriv('aes-256-gcm', createHash('sha256').update(secret).digest(), iv);
  const body = Buffer.concat([cipher.setAAD(Buffer.from(header)).update(text), cipher.final()]);
  return [header, '', base64url(iv), base64url(body), base64url(cipher.getAuthTag())].join('.');
}

const NESTED: Forgeries = {
  'a JWE of a good token': (forge) => encrypted(forge),
  'a JWE of claims': (forge) => encrypted(forge, JSON.stringify(forge.claims)),
  'an unsecured token around a good one': ({ mint }) =>
    `${base64url('{"alg":"none","cty":"JWT"}')}.${base64url(mint())}.`,
  'a token of a stranger around a good one': ({ mint, stranger }) =>
    mint({ header: { cty: 'JWT' }, claims: mint(), key: stranger }),
  'a token of ours around a good one': ({ mint }) => mint({ header: { cty: 'JWT' }, claims: mint() }),
  'a token of ours around an unsecured one': ({ mint, claims }) =>
    mint({
      header: { cty: 'JWT' },
      claims: `${base64url('{"alg":"none"}')}.${base64url(JSON.stringify(claims))}.`,
    }),
  'flattened JSON': parts((h, c, s) => [JSON.stringify({ protected: h, payload: c, signature: s })]),
  'general JSON': parts((h, c, s) => [
    JSON.stringify({ payload: c, signatures: [{ protected: h, signature: s }] }),
  ]),
  'JSON in base64url': parts((h, c, s) => [
    base64url(JSON.stringify({ protected: h, payload: c, signature: s })),
  ]),
  'flattened JSON within a compact one (CVE-2022-39227)': parts((h, c, s) => [
    `{"${h}`,
    `":"x","protected":"${h}", "payload":"${c}","signature":"${s}"}`,
  ]),
  'its scheme': whole((token) => `Bearer ${token}`),
  'a byte order mark': whole((token) => `\ufeff${token}`),
  quotes: whole((token) => `"${token}"`),
  'angle brackets': whole((token) => `<${token}>`),
};

testForgeries(
  {
    'RFC 7515 5.2: well signed, the header being': each(
      TEXTS,
      (header) =>
        ({ mint }) =>
          mint({ header }),
    ),
    'RFC 7519 7.2: well signed, the claims being': each(
      TEXTS,
      (claims) =>
        ({ mint }) =>
          mint({ claims }),
    ),
    'RFC 7515 2, RFC 4648 3.5: spelled otherwise,': spelled,
    'RFC 7515 2: well signed, with padding': {
      'of the header': ({ seal, header, claims }) =>
        seal(`${padded(base64url(JSON.stringify(header)))}.${base64url(JSON.stringify(claims))}`),
      'of the claims': ({ seal, header, claims }) =>
        seal(`${base64url(JSON.stringify(header))}.${padded(base64url(JSON.stringify(claims)))}`),
    },
    'RFC 4648 3.5: bits that do not count, in': alike,
    'RFC 7515 7.1: in': COUNTS,
    'RFC 8725 2.5, 2.7, 2.8, RFC 7515 7.2: as': NESTED,
  },
  {
    'after a byte order mark, which a reader may ignore (RFC 8259 8.1)': ({ mint, header, claims }) =>
      mint({ header: `\ufeff${JSON.stringify(header)}`, claims: `\ufeff${JSON.stringify(claims)}` }),
  },
);
