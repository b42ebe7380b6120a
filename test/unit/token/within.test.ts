import { expect, test } from 'vitest';
import { checkMayEnd, checkWithin, isNarrow } from '#lib/account/within';
import { parse } from '#lib/input/parse';
import { settingsFromEnvironment } from '#lib/instance/settings';
import type { CredentialLimits } from '#lib/item/token';
import { DAY_MS, isoOf } from '#lib/time';
import { termsOf, tokenTerms } from '#lib/token/terms';
import { refusal } from '../support/code-of.ts';
import { combinationsOf } from '../support/combinations.ts';
import { accountItem, NOON } from '../support/items.ts';

/** One limit of a credential or a token, and everything that it permits, listed by hand. */
interface Choice {
  readonly what: string;
  readonly limits: CredentialLimits;
  readonly permits: readonly (string | number)[];
}

const END = NOON + DAY_MS;
const IPV4 = ['192.0.2.1', '192.0.2.9', '192.0.2.200', '198.51.100.1'];
const IPV6 = ['2001:db8::1', '2001:db8:1::1', '2001:db9::1'];
const roles = (...names: string[]) => ({
  what: `the roles [${names}]`,
  limits: { roles: names },
  permits: names,
});
const blocks = (addresses: string[], permits: string[]) => ({
  what: `${addresses}`,
  limits: { addresses },
  permits,
});
const until = (what: string, expires_at: number, permits: number[]) => ({
  what,
  limits: { expires_at },
  permits,
});

/** The choices of each limit, the widest first. An absent limit also permits roles that the account gets later. */
const CHOICES: Readonly<Record<keyof CredentialLimits, readonly Choice[]>> = {
  access: [
    { what: 'full access', limits: {}, permits: ['read', 'write'] },
    { what: 'read access', limits: { access: 'read' }, permits: ['read'] },
  ],
  roles: [
    { what: 'all roles', limits: {}, permits: ['a', 'b', 'later'] },
    ...[roles('a', 'b'), roles('a'), roles('b'), roles()],
  ],
  addresses: [
    { what: 'all addresses', limits: {}, permits: [...IPV4, ...IPV6] },
    blocks(['0.0.0.0/0'], IPV4),
    blocks(['192.0.2.0/24'], ['192.0.2.1', '192.0.2.9', '192.0.2.200']),
    blocks(['192.0.2.0/25'], ['192.0.2.1', '192.0.2.9']),
    blocks(['192.0.2.9'], ['192.0.2.9']),
    blocks(['::/0'], IPV6),
    blocks(['2001:db8::/32'], ['2001:db8::1', '2001:db8:1::1']),
    blocks(['2001:db8:1::/48'], ['2001:db8:1::1']),
    blocks(['192.0.2.9', '2001:db8::/32'], ['192.0.2.9', '2001:db8::1', '2001:db8:1::1']),
  ],
  expires_at: [
    { what: 'no end', limits: {}, permits: [END - 1, END, END + 1] },
    until('an end a millisecond later', END + 1, [END - 1, END]),
    until('an end', END, [END - 1]),
    until('an end a millisecond earlier', END - 1, []),
  ],
};
const FIELDS = Object.keys(CHOICES) as (keyof CredentialLimits)[];
const ROWS = FIELDS.flatMap((field) =>
  CHOICES[field].map((credential) => ({ field, credential, what: credential.what })),
);

const isWider = ({ permits }: Choice, credential: Choice) =>
  permits.some((each) => !credential.permits.includes(each));
const beyond = (field: string) => ({ code: 'forbidden', fields: [field] });
/** The outcome for each token by its limit, so that a difference names the token. */
const byToken = (field: keyof CredentialLimits, outcome: (token: Choice) => unknown) =>
  Object.fromEntries(CHOICES[field].map((token) => [token.what, outcome(token)]));

test.each(ROWS)(
  'checkWithin refuses exactly wider $field when the credential has $what',
  ({ field, credential }) => {
    expect(byToken(field, (token) => refusal(() => checkWithin(token.limits, credential.limits)))).toEqual(
      byToken(field, (token) => (isWider(token, credential) ? beyond(field) : undefined)),
    );
  },
);

/** Every combination of the limits, each absent or present. */
const NARROW: Required<CredentialLimits> = {
  access: 'read',
  roles: [],
  addresses: ['192.0.2.9'],
  expires_at: END,
};
const nameOf = (limits: CredentialLimits) => Object.keys(limits).join(' and ') || 'no limits';
const LIMITED = combinationsOf<CredentialLimits>(NARROW).map((limits) => ({ what: nameOf(limits), limits }));
const byLimits = (outcome: (limits: CredentialLimits) => unknown) =>
  Object.fromEntries(LIMITED.map(({ what, limits }) => [what, outcome(limits)]));

test.each(LIMITED)(
  'checkWithin names the first limit that a token lacks when the credential has $what',
  ({ limits }) => {
    expect(byLimits((token) => refusal(() => checkWithin(token, limits, 'expires_in_days')))).toEqual(
      byLimits((token) => {
        const missing = FIELDS.find((field) => field in limits && !(field in token));
        return missing && beyond(missing === 'expires_at' ? 'expires_in_days' : missing);
      }),
    );
  },
);

test.each(LIMITED)(
  'checkMayEnd lets a credential with $what end what is no wider, whatever its end',
  ({ limits }) => {
    expect(byLimits((ended) => refusal(() => checkMayEnd(ended, limits)))).toEqual(
      byLimits((ended) => {
        const missing = FIELDS.find(
          (field) => field in limits && !(field in ended) && field !== 'expires_at',
        );
        return missing && beyond(missing);
      }),
    );
    expect(isNarrow(limits)).toBe(FIELDS.some((field) => field in limits && field !== 'expires_at'));
  },
);

const OWNER = accountItem({ roles: ['a', 'b'] });
const judge = (requested: object, own: CredentialLimits, TokenMaxDays = '0') => {
  const runtime = {
    now: () => NOON,
    settings: settingsFromEnvironment({ Settings__TokenMaxDays: TokenMaxDays }),
  };
  let terms: object | undefined;
  const refused = refusal(() => {
    terms = termsOf(runtime, OWNER, parse(tokenTerms(), requested), own);
  });
  return refused ?? terms;
};
/** A request for a limit; an end is requested as a time. */
const requestOf = ({ expires_at, ...others }: CredentialLimits) =>
  expires_at === undefined ? others : { ...others, expires_at: isoOf(expires_at) };

test.each(ROWS)(
  'termsOf grants the requested $field, or refuses it, when the credential has $what',
  ({ field, credential }) => {
    const outcome = (token: Choice) => {
      if (!(field in token.limits)) return credential.limits;
      return isWider(token, credential) ? beyond(field) : token.limits;
    };
    expect(byToken(field, (token) => judge(requestOf(token.limits), credential.limits))).toEqual(
      byToken(field, outcome),
    );
  },
);

test.each(LIMITED)(
  'termsOf inherits each limit that is not requested when the credential has $what',
  ({ limits }) => {
    expect(byLimits((requested) => judge(requestOf(requested), limits))).toEqual(
      byLimits((requested) => ({ ...limits, ...requested })),
    );
  },
);

test.each(LIMITED)(
  'termsOf refuses full access exactly for readers when the credential has $what',
  ({ limits }) => {
    expect(judge({ access: 'full' }, limits)).toEqual(limits.access ? beyond('access') : limits);
  },
);

interface Ends {
  readonly what: string;
  readonly requested?: { readonly expires_at: string } | { readonly expires_in_days: number };
  readonly own?: number;
  /** The granted end; undefined for none. */
  readonly end?: number;
  readonly refused?: { readonly code: string; readonly fields: readonly string[] };
}
const at = (time: number) => ({ expires_at: isoOf(time) });
const invalid = (field: string) => ({ code: 'invalid_request', fields: [field] });
const [WEEK, DECADE] = [NOON + 7 * DAY_MS, NOON + 3650 * DAY_MS];

/** The end of a new token by the requested end and that of the credential (`own`), for each setting. */
const ENDS: Readonly<Record<string, readonly Ends[]>> = {
  0: [
    { what: 'no end' },
    { what: 'the end of the credential', own: WEEK, end: WEEK },
    { what: 'a time at the maximum', requested: at(DECADE), end: DECADE },
    { what: 'a time after the maximum', requested: at(DECADE + 1), refused: invalid('expires_at') },
    { what: 'days at the maximum', requested: { expires_in_days: 3650 }, end: DECADE },
    { what: 'a time in a millisecond', requested: at(NOON + 1), end: NOON + 1 },
    { what: 'the present', requested: at(NOON), refused: invalid('expires_at') },
    {
      what: 'the present, before the end of the credential',
      requested: at(NOON),
      own: WEEK,
      refused: invalid('expires_at'),
    },
    { what: 'the end of the credential as a time', requested: at(WEEK), own: WEEK, end: WEEK },
    { what: 'the end of the credential in days', requested: { expires_in_days: 7 }, own: WEEK, end: WEEK },
    {
      what: 'a time after the credential',
      requested: at(WEEK),
      own: WEEK - 1,
      refused: beyond('expires_at'),
    },
    {
      what: 'days after the credential',
      requested: { expires_in_days: 7 },
      own: WEEK - 1,
      refused: beyond('expires_in_days'),
    },
    {
      what: 'a time after the credential and the maximum',
      requested: at(DECADE + 1),
      own: WEEK,
      refused: beyond('expires_at'),
    },
  ],
  7: [
    { what: 'no end', refused: invalid('expires_in_days') },
    { what: 'the end of the credential at the maximum', own: WEEK, end: WEEK },
    {
      what: 'the end of the credential after the maximum',
      own: WEEK + 1,
      refused: invalid('expires_in_days'),
    },
    { what: 'a time at the maximum', requested: at(WEEK), end: WEEK },
    { what: 'a time after the maximum', requested: at(WEEK + 1), refused: invalid('expires_at') },
    {
      what: 'a time at the maximum, before the end of the credential',
      requested: at(WEEK),
      own: WEEK + 1,
      end: WEEK,
    },
    {
      what: 'a time after the maximum, at the end of the credential',
      requested: at(WEEK + 1),
      own: WEEK + 1,
      refused: invalid('expires_at'),
    },
    { what: 'days at the maximum', requested: { expires_in_days: 7 }, end: WEEK },
    {
      what: 'days after the maximum',
      requested: { expires_in_days: 8 },
      refused: invalid('expires_in_days'),
    },
    { what: 'the present', requested: at(NOON), refused: invalid('expires_at') },
  ],
};

test.each(Object.entries(ENDS).flatMap(([days, rows]) => rows.map((row) => ({ days, ...row }))))(
  'termsOf with a TokenMaxDays of $days decides about $what',
  ({ days, requested = {}, own, end, refused }) => {
    const limits = own === undefined ? {} : { expires_at: own };
    expect(judge(requested, limits, days)).toEqual(refused ?? (end === undefined ? {} : { expires_at: end }));
  },
);
