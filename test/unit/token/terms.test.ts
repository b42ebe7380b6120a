import { expect, test } from 'vitest';
import { Failure } from '#lib/failure/failure';
import { parse } from '#lib/input/parse';
import { MAX_TOKEN_DAYS, settingsFromEnvironment } from '#lib/instance/settings';
import type { CredentialLimits } from '#lib/item/token';
import { DAY_MS } from '#lib/time';
import { MAX_ADDRESSES, MAX_ROLES_LENGTH } from '#lib/token/maxima';
import { termsOf, tokenTerms } from '#lib/token/terms';
import { errorsOf, fieldsAtFault } from '../support/errors-of.ts';
import { accountItem, NOON } from '../support/items.ts';

const OWNER = accountItem({ roles: ['a', 'b', 'c'] });

/** The terms of a request of a credential with limits, or the code, the field and the message of its refusal. */
function termsFor(requested: object, limits: CredentialLimits = {}, TokenMaxDays = '0') {
  const settings = settingsFromEnvironment({ Settings__TokenMaxDays: TokenMaxDays });
  try {
    return termsOf({ now: () => NOON, settings }, OWNER, parse(tokenTerms(), requested), limits);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return `${error.code} ${error.errors?.map(({ field, message }) => `${field}: ${message}`)}`;
  }
}

const FUTURE = 'Must be in the future';
const BEYOND = 'Exceeds the limits of the credential';
const ahead = (days: number) => `Must be at most ${days} days ahead`;
const long = (length: number) => ['r'.repeat(length - 4)];

test.each<[string, object, readonly string[]]>([
  ['nothing', {}, []],
  ['everything', { expires_in_days: 1, description: '', access: 'full', roles: [], addresses: ['::1'] }, []],
  ['an end with an offset', { expires_at: '2027-01-01T00:00:00+01:00' }, []],
  ['an end as in a record', { expires_at: '2027-01-01T00:00:00.123' }, []],
  ...['2027-02-30T00:00:00Z', '2027-01-01', '1e9', '', '2027-01-01T00:00:00+1'].map(
    (expires_at): [string, object, string[]] => [`the end ${expires_at}`, { expires_at }, ['expires_at']],
  ),
  ...[0, -1, 1.5, MAX_TOKEN_DAYS + 1, '1', null].map((days): [string, object, string[]] => [
    `${days} days`,
    { expires_in_days: days },
    ['expires_in_days'],
  ]),
  ['a long description', { description: 'x'.repeat(201) }, ['description']],
  ['a description that reorders text', { description: '\u202e' }, ['description']],
  ['unknown access', { access: 'write' }, ['access']],
  ['roles of the maximum length', { roles: long(MAX_ROLES_LENGTH) }, []],
  ['roles that are too long', { roles: long(MAX_ROLES_LENGTH + 1) }, ['roles']],
  ['no address', { addresses: [] }, ['addresses']],
  ['a name as an address', { addresses: ['::1', 'localhost'] }, ['addresses.1']],
  ['many addresses', { addresses: Array(MAX_ADDRESSES + 1).fill('::1') }, ['addresses']],
  ['unknown properties', { scope: 'x' }, ['scope']],
])('tokenTerms judges %s', (_what, requested, fields) => {
  expect(fieldsAtFault(tokenTerms(), requested)).toEqual(fields);
});

test('tokenTerms reports the valid forms of a time and roles', () => {
  expect(errorsOf(tokenTerms(), { expires_at: 'x', roles: long(MAX_ROLES_LENGTH + 1) })).toEqual([
    { field: 'expires_at', message: 'Must be a time such as 2026-11-20T05:30:00Z' },
    { field: 'roles', message: `Must have at most ${MAX_ROLES_LENGTH} characters` },
  ]);
});

test.each<[string, object, CredentialLimits, object | string]>([
  ['nothing', {}, {}, {}],
  ['full access', { access: 'full' }, {}, {}],
  ['an end in days', { expires_in_days: 2 }, {}, { expires_at: NOON + 2 * DAY_MS }],
  ['an end', { expires_at: '2026-11-20T12:00:00.001' }, {}, { expires_at: NOON + 1 }],
  ['an offset', { expires_at: '2026-11-20T11:00:00.001-01:00' }, {}, { expires_at: NOON + 1 }],
  ['a role twice', { roles: ['b', 'a', 'b'] }, {}, { roles: ['b', 'a'] }],
  ['a block twice', { addresses: ['192.0.2.1/24', '192.0.2.0/24'] }, {}, { addresses: ['192.0.2.0/24'] }],
  ['an end that is now', { expires_at: '2026-11-20T12:00:00Z' }, {}, `invalid_request expires_at: ${FUTURE}`],
  [
    'an end after ten years',
    { expires_at: '2036-11-20T12:00:00Z' },
    {},
    `invalid_request expires_at: ${ahead(MAX_TOKEN_DAYS)}`,
  ],
  [
    'two ends',
    { expires_at: '2027-01-01T00:00:00Z', expires_in_days: 1 },
    {},
    'invalid_request expires_in_days: Must be absent when expires_at is given',
  ],
  ['a role of others', { roles: ['a', 'd'] }, {}, 'invalid_request roles: Must be roles of the account'],
  ['less access', { access: 'read', description: 'x' }, {}, { access: 'read', description: 'x' }],
  ['full access by a reader', { access: 'full' }, { access: 'read' }, `forbidden access: ${BEYOND}`],
  ['fewer roles', { roles: ['a'] }, { roles: ['a', 'b'] }, { roles: ['a'] }],
  ['more roles', { roles: ['a', 'c'] }, { roles: ['a', 'b'] }, `forbidden roles: ${BEYOND}`],
  ['more addresses', { addresses: ['::1', '::2'] }, { addresses: ['::1'] }, `forbidden addresses: ${BEYOND}`],
  ['fewer addresses', { addresses: ['::1'] }, { addresses: ['::/64'] }, { addresses: ['::1'] }],
  ['an earlier end', { expires_in_days: 1 }, { expires_at: NOON + DAY_MS }, { expires_at: NOON + DAY_MS }],
  [
    'a later end',
    { expires_in_days: 1 },
    { expires_at: NOON + DAY_MS - 1 },
    `forbidden expires_in_days: ${BEYOND}`,
  ],
])('termsOf for %s', (_what, requested, limits, expected) => {
  expect(termsFor(requested, limits)).toEqual(expected);
});

test('a token inherits each limit of its credential that is not requested', () => {
  const limits: CredentialLimits = { access: 'read', roles: ['a'], addresses: ['::1'], expires_at: NOON + 1 };
  expect(termsFor({}, limits)).toEqual(limits);
  expect(termsFor({ roles: [] }, limits)).toEqual({ ...limits, roles: [] });
});

test.each<[object, CredentialLimits, object | string]>([
  [{}, {}, `invalid_request expires_in_days: ${ahead(7).replace('be', 'be given,')}`],
  [{ expires_in_days: 8 }, {}, `invalid_request expires_in_days: ${ahead(7)}`],
  [{ expires_at: '2026-11-27T12:00:00.001Z' }, {}, `invalid_request expires_at: ${ahead(7)}`],
  [{ expires_in_days: 7 }, {}, { expires_at: NOON + 7 * DAY_MS }],
  [{}, { expires_at: NOON + 1 }, { expires_at: NOON + 1 }],
  [{}, { expires_at: NOON + 8 * DAY_MS }, `invalid_request expires_in_days: ${ahead(7)}`],
])('with a TokenMaxDays of 7, %j of a credential with %j becomes %j', (requested, limits, expected) => {
  expect(termsFor(requested, limits, '7')).toEqual(expected);
});
