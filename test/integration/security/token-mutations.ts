import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** What the forger of an API token knows: more than anybody does. */
export interface Known {
  readonly token: string;
  /** A token of another account, and one that was deleted. */
  readonly other: string;
  readonly deleted: string;
}

type Mutations = Readonly<Record<string, (known: Known) => string>>;

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The checksum of the published format: CRC-32 in six digits of base 62. */
const checksum = (secret: string) => {
  let value = crc32(secret);
  const digits = Array.from({ length: 6 }, () => {
    const digit = DIGITS[value % 62];
    value = Math.floor(value / 62);
    return digit;
  });
  return digits.reverse().join('');
};
/** A token of this secret, with its right checksum. */
export const sealed = (secret: string) => `cst_${secret}${checksum(secret)}`;

const LENGTH = 40;
export const PREFIX = 4;
export const SECRET = 30;
const at = (token: string, index: number, change: (character: string) => string) =>
  token.slice(0, index) + change(token[index] as string) + token.slice(index + 1);

const flip = (character: string) => String.fromCharCode(character.charCodeAt(0) ^ 1);
const otherCase = (character: string) =>
  character === character.toLowerCase() ? character.toUpperCase() : character.toLowerCase();
const next = (character: string) => DIGITS[(DIGITS.indexOf(character) + 1) % 62] as string;

const positions = (count: number, mutation: (index: number) => (known: Known) => string): Mutations =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`at ${index}`, mutation(index)]));

const of =
  (change: (token: string) => string) =>
  ({ token }: Known) =>
    change(token);
const hash = (token: string) => createHash('sha256').update(token);

/** Letters of other alphabets that look like those of the prefix. */
const HOMOGLYPHS: Mutations = {
  'a Cyrillic c': of((token) => token.replace('c', '\u0441')),
  'a Cyrillic s': of((token) => token.replace('s', '\u0455')),
  'a long s': of((token) => token.replace('s', '\u017f')),
  'a low line of full width': of((token) => token.replace('_', '\uff3f')),
  'a t of full width': of((token) => token.replace('t', '\uff54')),
  'all of full width': of((token) =>
    token.replace(/[!-~]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0)),
  ),
  'a space of no width': of((token) => at(token, 10, (c) => `${c}\u200b`)),
  'a mark that turns the direction': of((token) => `\u202e${token}`),
  'an accent that is combined': of((token) => `${token}\u0301`),
};

/** What is nearly an API token, by the source that asks to refuse it. */
export const MUTATIONS: Readonly<Record<string, Mutations>> = {
  'API2:2023: a bit flipped': positions(LENGTH, (index) => of((token) => at(token, index, flip))),
  'API2:2023: another secret with its right checksum': positions(SECRET, (index) =>
    of((token) => sealed(at(token.slice(PREFIX, PREFIX + SECRET), index, next))),
  ),
  'API2:2023: the case changed': {
    'of all': of((token) => [...token].map(otherCase).join('')),
    'to lower': of((token) => token.toLowerCase()),
    'to upper': of((token) => token.toUpperCase()),
    'of the prefix': of((token) => token.replace('cst', 'CST')),
    'of one letter, with its checksum': of((token) => {
      const secret = token.slice(PREFIX, PREFIX + SECRET);
      return sealed(at(secret, secret.search(/[A-Za-z]/), otherCase));
    }),
  },
  'API2:2023: cut': {
    ...Object.fromEntries(
      [0, 1, 3, 4, 5, 20, 33, 34, 39].map((length) => [
        `to ${length}`,
        of((token) => token.slice(0, length)),
      ]),
    ),
    'at its front': of((token) => token.slice(1)),
    'and sealed again': of((token) => sealed(token.slice(PREFIX, PREFIX + SECRET - 1))),
  },
  'API2:2023: longer': {
    'by a digit': of((token) => `${token}0`),
    'by a digit before': of((token) => `0${token}`),
    'by padding': of((token) => `${token}=`),
    'by itself': of((token) => token + token),
    'by another token': ({ token, other }) => `${token}${other}`,
    'by a colon': of((token) => `${token}:`),
    'by a wildcard': of((token) => `${token}*`),
    'and sealed again': of((token) => sealed(`${token.slice(PREFIX, PREFIX + SECRET)}0`)),
    'by 4,000 digits': of((token) => token + '0'.repeat(4000)),
  },
  'ASVS 5 2.2.1: white space': Object.fromEntries(
    [' ', '\t', '\n', '\r\n', '\v', '\u00a0', '\u2003', '\0', '%00', '\\0', '\u007f', '\ufeff'].flatMap(
      (space) => [
        [`${JSON.stringify(space)} before`, of((token) => space + token)],
        [`${JSON.stringify(space)} behind`, of((token) => token + space)],
        [`${JSON.stringify(space)} within`, of((token) => token.slice(0, 20) + space + token.slice(20))],
      ],
    ),
  ),
  'ASVS 5 1.1.1, 2.2.1: look-alikes:': HOMOGLYPHS,
  'API2:2023: the prefix': Object.fromEntries(
    ['', 'cst', 'cst-', 'cst__', 'cst ', 'cst.', 'c_st', 'ghp_', 'sk_', 'api_', 'Cst_', 'cst_cst_', '_'].map(
      (prefix) => [JSON.stringify(prefix), of((token) => prefix + token.slice(PREFIX))],
    ),
  ),
  'API2:2023: the checksum': {
    'of another secret': ({ token, other }) => token.slice(0, PREFIX + SECRET) + other.slice(PREFIX + SECRET),
    'before the secret': of(
      (token) => `cst_${token.slice(PREFIX + SECRET)}${token.slice(PREFIX, PREFIX + SECRET)}`,
    ),
    'of zeros': of((token) => `${token.slice(0, PREFIX + SECRET)}000000`),
    'in hex': of(
      (token) => token.slice(0, PREFIX + SECRET) + crc32(token.slice(PREFIX, PREFIX + SECRET)).toString(16),
    ),
    missing: of((token) => token.slice(0, PREFIX + SECRET)),
    reversed: of(
      (token) => token.slice(0, PREFIX + SECRET) + [...token.slice(PREFIX + SECRET)].reverse().join(''),
    ),
  },
  'API2:2023: what is stored of a token, or was': {
    'the hash in hex': of((token) => hash(token).digest('hex')),
    'the hash in base64url': of((token) => hash(token).digest('base64url')),
    'the hash behind the prefix': of((token) => `cst_${hash(token).digest('hex')}`),
    'the hash sealed': of((token) => sealed(hash(token).digest('hex').slice(0, SECRET))),
    'its key of the table': of((token) => `TOKEN#${hash(token).digest('hex')}`),
    'a deleted token': ({ deleted }) => deleted,
    'a token that was never made': () => sealed(randomBytes(15).toString('hex')),
    'the last characters': of((token) => token.slice(-4)),
  },
  'RFC 7617 2: more or other than the token:': {
    'api: before': of((token) => `api:${token}`),
    'api: twice': of((token) => `api:api:${token}`),
    'API: before': of((token) => `API:${token}`),
    'api%3A before': of((token) => `api%3A${token}`),
    'a colon before': of((token) => `:${token}`),
    'the scheme before': of((token) => `Token ${token}`),
    'a list': of((token) => `["${token}"]`),
    quotes: of((token) => `"${token}"`),
    'percent-encoded': of((token) => token.replace('_', '%5F')),
    'in base64': of((token) => Buffer.from(token).toString('base64')),
    'two tokens': ({ token, other }) => `${token},${other}`,
    SQL: of((token) => `${token}' OR '1'='1`),
  },
};
