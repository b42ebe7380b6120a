import { randomUUID } from 'node:crypto';
import { type Forge, now } from './forge.ts';
import { type Forgeries, nameOf, testForgeries } from './forgeries.ts';

type Claims = Forge['claims'];

const withClaims = (changed: (forge: Forge) => Claims | string) => (forge: Forge) =>
  forge.mint({ claims: changed(forge) });

const TEXTS = ['iss', 'aud', 'sub', 'name', 'sst', 'jti'];
const TIMES = ['iat', 'nbf', 'exp'];

/** What none of the claims can be. `aud` may be a list that holds the audience (RFC 7519 section 4.1.3). */
const NEVER = [undefined, null, true, false, {}, [], [[]], [null]];
const NO_TEXT = [...NEVER, 0, 1, -1, 1.5];
const NO_TIME = [
  ...NEVER,
  '',
  '0',
  'NaN',
  'Infinity',
  '9999999999',
  '1e10',
  '0x7fffffff',
  '2999-01-01T00:00:00Z',
  [9999999999],
];

const ofType = (claims: readonly string[], values: readonly unknown[]): Forgeries =>
  Object.fromEntries(
    claims.flatMap((claim) =>
      values.map((value) => [`${claim} ${nameOf(value)}`, withClaims(() => ({ [claim]: value }))]),
    ),
  );

/** Texts that are nearly right. */
const NEARLY: Readonly<Record<string, (right: string) => unknown>> = {
  empty: () => '',
  'with a space before': (right) => ` ${right}`,
  'with a space behind': (right) => `${right} `,
  'with a zero byte': (right) => `${right}\0`,
  'without its end': (right) => right.slice(0, -1),
  'with more behind': (right) => `${right}/`,
  'in an object': (right) => ({ value: right }),
  'in a list of lists': (right) => [[right]],
};

const nearly: Forgeries = Object.fromEntries(
  TEXTS.filter((claim) => claim !== 'jti').flatMap((claim) =>
    Object.entries(NEARLY).map(([name, change]) => [
      `${claim} ${name}`,
      withClaims(({ claims }) => ({ [claim]: change(claims[claim] as string) })),
    ]),
  ),
);

const strangers: Forgeries = {
  'iss of another instance': withClaims(() => ({ iss: 'urn:core-account:another' })),
  'aud of another instance': withClaims(() => ({ aud: 'urn:core-account:another' })),
  'iss and aud of another instance': withClaims(() => ({
    iss: 'urn:core-account:another',
    aud: 'urn:core-account:another',
  })),
  'iss in capitals': withClaims(({ claims }) => ({ iss: String(claims['iss']).toUpperCase() })),
  'aud in capitals': withClaims(({ claims }) => ({ aud: String(claims['aud']).toUpperCase() })),
  'iss that is the address': withClaims(() => ({ iss: 'https://evil.example' })),
  'iss in a list': withClaims(({ claims }) => ({ iss: [claims['iss']] })),
  'aud in a list of others': withClaims(() => ({ aud: ['urn:core-account:another', 'account'] })),
  'aud that is a wildcard': withClaims(() => ({ aud: '*' })),
  'sub of another account': withClaims(({ other }) => ({ sub: other.account.id })),
  'sub that is nobody': withClaims(() => ({ sub: '00000000-0000-0000-0000-000000000000' })),
  'sub in capitals': withClaims(({ claims }) => ({ sub: `{${String(claims['sub']).toUpperCase()}}` })),
  'sub that is the name': withClaims(({ claims }) => ({ sub: claims['name'] })),
  'name of another account': withClaims(({ other }) => ({ name: other.username })),
  'name of the administrator': withClaims(() => ({ name: 'admin' })),
  'name of nobody': withClaims(() => ({ name: `nobody-${randomUUID()}` })),
  'name that is reserved': withClaims(() => ({ name: 'api' })),
  'name that is a key': withClaims(({ claims }) => ({ name: `ACCOUNT#${claims['name']}` })),
  'name that is too long': withClaims(() => ({ name: 'n'.repeat(3000) })),
  'name in a list': withClaims(({ claims }) => ({ name: [claims['name']] })),
  'name with a look-alike': withClaims(({ claims }) => ({ name: String(claims['name']).replace('s', 'ſ') })),
  'name and sub of another account': withClaims(({ other }) => ({
    name: other.username,
    sub: other.account.id,
  })),
  'sst of another account': withClaims(({ other }) => ({ sst: other.account.stamp })),
  'sst that was made up': withClaims(() => ({ sst: randomUUID() })),
  'sst in a list': withClaims(({ claims }) => ({ sst: [claims['sst']] })),
  'sst that matches anything': withClaims(() => ({ sst: '*' })),
};

const MONTH = 31 * 86_400;
const times: Forgeries = {
  'exp a moment ago': withClaims(() => ({ exp: now() - 6 })),
  'exp at the beginning of time': withClaims(() => ({ exp: 0 })),
  'exp before time': withClaims(() => ({ exp: -1 })),
  'exp far before time': withClaims(() => ({ exp: -1e308 })),
  'nbf in a minute': withClaims(() => ({ nbf: now() + 60 })),
  'nbf in milliseconds': withClaims(() => ({ nbf: Date.now() })),
  'nbf at the end of time': withClaims(() => ({ nbf: 1e308 })),
  'iat in a minute': withClaims(() => ({ iat: now() + 60 })),
  'iat in milliseconds': withClaims(() => ({ iat: Date.now() })),
  'iat at the end of time': withClaims(() => ({ iat: 1e308 })),
  'iat longer ago than any session lives': withClaims(() => ({ iat: now() - MONTH })),
  'iat at the beginning of time': withClaims(() => ({ iat: 0 })),
  'iat before time': withClaims(() => ({ iat: -1 })),
  'exp never, iat long ago': withClaims(({ claims }) =>
    JSON.stringify({ ...claims, iat: now() - MONTH, exp: 0 }).replace('"exp":0', '"exp":1e999'),
  ),
  'exp before the beginning of all': withClaims(({ claims }) =>
    JSON.stringify({ ...claims, exp: 0 }).replace('"exp":0', '"exp":-1e999'),
  ),
};

/** RFC 7519 section 4: of a claim that stands twice, the last one counts. */
const twice: Forgeries = Object.fromEntries(
  [...TEXTS.filter((claim) => claim !== 'jti'), ...TIMES].flatMap((claim) =>
    [claim, `\\u00${claim.charCodeAt(0).toString(16)}${claim.slice(1)}`].map((name) => [
      `${claim}, the second as "${name}"`,
      withClaims(({ claims }) => JSON.stringify(claims).replace(/}$/, `,"${name}":"another"}`)),
    ]),
  ),
);

testForgeries(
  {
    'RFC 7519 4.1, RFC 8725 3.8, 3.9: well signed, with the claim': {
      ...ofType(TEXTS, NO_TEXT),
      ...ofType(TIMES, NO_TIME),
      ...nearly,
    },
    'RFC 8725 3.8, 3.9, RFC 9700 2.3, ASVS 5 9.2.3: well signed, with the': strangers,
    'RFC 7519 4.1.4-6, OWASP ASVS 5 9.2.1: well signed, with': times,
    'RFC 7519 4, RFC 8725 2.4: well signed, with a claim twice:': twice,
    'API3:2023: well signed, with claims under a prototype:': {
      'all of them': withClaims(({ claims }) => `{"__proto__":${JSON.stringify(claims)}}`),
      'the account': withClaims(({ claims: { sub, name, ...claims } }) =>
        JSON.stringify(claims).replace(/}$/, `,"__proto__":${JSON.stringify({ sub, name })}}`),
      ),
    },
  },
  {
    'with the audience in a list (RFC 7519 4.1.3)': withClaims(({ claims }) => ({ aud: [claims['aud']] })),
    'with claims that mean nothing (RFC 7519 4)': withClaims(() => ({
      roles: ['sys_administrator'],
      scope: 'all',
    })),
    'with a claim twice, the last one right (RFC 7519 4)': withClaims(({ claims }) =>
      JSON.stringify(claims).replace(/^{/, '{"sub":"another",'),
    ),
    'with times that are fractions (RFC 7519 2)': withClaims(() => ({ exp: now() + 60.5, iat: now() - 0.5 })),
  },
);
