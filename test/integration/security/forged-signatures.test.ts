import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { base64url, type Changes, ecdsa, type Forge } from './forge.ts';
import { each, type Forgeries, testForgeries } from './forgeries.ts';

/** Order of the curve P-256. */
const N = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

const bytes = (value: bigint) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
const number = (value: Uint8Array) => BigInt(`0x${Buffer.from(value).toString('hex')}`);

/** A good token whose signature, as bytes, is changed. */
const changed =
  (change: (signature: Buffer) => Uint8Array | string) =>
  ({ mint }: Forge) => {
    const token = mint();
    const at = token.lastIndexOf('.') + 1;
    const signature = change(Buffer.from(token.slice(at), 'base64url'));
    return token.slice(0, at) + (typeof signature === 'string' ? signature : base64url(signature));
  };

const halves = (r: bigint | undefined, s: bigint | undefined) =>
  changed((signature) =>
    Buffer.concat([
      r === undefined ? signature.subarray(0, 32) : bytes(r),
      s === undefined ? signature.subarray(32) : bytes(s),
    ]),
  );

/** One bit of each of the 64 bytes, another one each time. */
const flipped: Forgeries = Object.fromEntries(
  Array.from({ length: 64 }, (_, at) => [
    `byte ${at}`,
    changed((signature) => {
      signature[at] = (signature[at] as number) ^ (1 << (at % 8));
      return signature;
    }),
  ]),
);

/** DER of two integers, as libraries make it that do not follow JWS. */
const der = (signature: Buffer) => {
  const integer = (half: Buffer) => {
    const digits = half.subarray(half.findIndex((byte) => byte !== 0));
    const value = (digits[0] as number) & 0x80 ? Buffer.concat([Buffer.of(0), digits]) : digits;
    return Buffer.concat([Buffer.of(2, value.length), value]);
  };
  const both = Buffer.concat([integer(signature.subarray(0, 32)), integer(signature.subarray(32))]);
  return Buffer.concat([Buffer.of(0x30, both.length), both]);
};

const MALFORMED: Readonly<Record<string, (signature: Buffer) => Uint8Array | string>> = {
  'in DER': der,
  'in DER, cut to 64 bytes': (signature) => der(signature).subarray(0, 64),
  'in hex': (signature) => signature.toString('hex'),
  'in hex within base64url': (signature) => base64url(signature.toString('hex')),
  'in base64url twice': (signature) => base64url(base64url(signature)),
  'with r and s exchanged': (s) => Buffer.concat([s.subarray(32), s.subarray(0, 32)]),
  reversed: (signature) => signature.reverse(),
  'with a zero byte before each half': (s) =>
    Buffer.concat([Buffer.of(0), s.subarray(0, 32), Buffer.of(0), s.subarray(32)]),
  'with a zero byte before': (signature) => Buffer.concat([Buffer.of(0), signature]),
  'with a zero byte behind': (signature) => Buffer.concat([signature, Buffer.of(0)]),
  'with 32 zero bytes behind': (signature) => Buffer.concat([signature, Buffer.alloc(32)]),
  twice: (signature) => Buffer.concat([signature, signature]),
  'hashed again': (signature) => createHash('sha512').update(signature).digest(),
};

const LENGTHS = [0, 1, 2, 16, 31, 32, 33, 47, 48, 62, 63];

/** Numbers that pass where a check of the range is missing (CVE-2022-21449 for zeros). */
const RANGES: Readonly<Record<string, [r: bigint | undefined, s: bigint | undefined]>> = {
  'all zero': [0n, 0n],
  'r zero': [0n, undefined],
  's zero': [undefined, 0n],
  'r and s one': [1n, 1n],
  'r one, s zero': [1n, 0n],
  'r the order': [N, undefined],
  's the order': [undefined, N],
  'both the order': [N, N],
  'both one less than the order': [N - 1n, N - 1n],
  'both one more than the order': [N + 1n, N + 1n],
  'r the order, s one': [N, 1n],
  'all ones': [2n ** 256n - 1n, 2n ** 256n - 1n],
};

const signing =
  (signature: (forge: Forge, input: string) => Uint8Array, changes: Changes = {}) =>
  (forge: Forge) =>
    forge.mint({ ...changes, signature: (input) => base64url(signature(forge, input)) });

const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey;

testForgeries(
  {
    'RFC 7515 5.2, RFC 8725 3.3: a bit flipped in': flipped,
    'RFC 7518 3.4: a signature': each(MALFORMED, changed),
    'RFC 7518 3.4: a signature cut to bytes:': each(LENGTHS, (length) =>
      changed((s) => s.subarray(0, length)),
    ),
    'CVE-2022-21449, RFC 8725 3.4: r and s out of range:': each(RANGES, ([r, s]) => halves(r, s)),
    'RFC 8725 3.3: signed': {
      'by a stranger': signing(({ stranger }, input) => ecdsa(stranger, input)),
      'by another curve': signing((_, input) => sign('sha256', Buffer.from(input), p384)),
      'by a stranger as another instance': signing(({ stranger }, input) => ecdsa(stranger, input), {
        claims: { iss: 'urn:core-account:another', aud: 'urn:core-account:another' },
      }),
      'and its name changed after': ({ mint, other }) =>
        reclaimed(mint, { name: other.username, sub: other.account.id }),
      'and its end changed after': ({ mint }) => reclaimed(mint, { exp: 9999999999 }),
      'and only its spaces changed after': ({ mint, claims }) =>
        reclaimed(mint, JSON.stringify(claims, null, 1)),
      'and its header changed after': ({ mint }) => {
        const [, ...rest] = mint().split('.');
        return [mint({ header: { x: 1 } }).split('.')[0], ...rest].join('.');
      },
      'for other claims': ({ mint }) => {
        const [header, claims] = mint().split('.');
        return [header, claims, mint({ claims: { exp: 1 } }).split('.')[2]].join('.');
      },
      'with the header and claims exchanged': ({ mint }) => {
        const [header, claims, signature] = mint().split('.');
        return [claims, header, signature].join('.');
      },
    },
  },
  {
    // n - s is the other signature of the same text by the same key (SEC 1): it says nothing that was not signed,
    // and nothing here tells tokens apart by their letters.
    'with s replaced by n - s (RFC 7518 3.4 permits both)': changed((signature) =>
      Buffer.concat([signature.subarray(0, 32), bytes(N - number(signature.subarray(32)))]),
    ),
  },
);

function reclaimed(mint: Forge['mint'], claims: NonNullable<Changes['claims']>): string {
  const [header, , signature] = mint().split('.');
  return [header, mint({ claims }).split('.')[1], signature].join('.');
}
