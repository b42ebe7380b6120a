import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { limitedPoliciesOf, SUPPORT } from '#infra/aws/policies';
import { DIFFERENCES, holdersOfPowers } from '#infra/powers';
import { powersTable, textOf } from '../../infra/docs.ts';
import { STALE } from '../stale.ts';
import { EVERY_OPTION, inApp } from './synth.ts';

const standard = inApp({}, (stack) => limitedPoliciesOf(stack));
const whole = new Map(holdersOfPowers(standard, 'whole'));

test('functions and support have the same powers in every stage', () => {
  // The options include those of prod.
  const every = inApp(EVERY_OPTION, (stack) => limitedPoliciesOf(stack));
  expect(holdersOfPowers(every, 'whole')).toEqual([...whole]);
});

test('each power has few holders, except reading accounts', () => {
  const common = holdersOfPowers(standard).filter(([, { length }]) => length > 20);
  expect(common.map(([power]) => power)).toEqual(['read any account']);
});

/** Holders of critical powers, whichever way AWS judges transactions; a deletion or a put in one gives others the power. */
const MEANT: Readonly<Record<string, readonly string[]>> = {
  'change `roles` of an account': ['account.access', 'account.copy', 'account.create'],
  'change `isactive` of an account': ['account.cancel', 'account.create', 'account.reactivate'],
  'change `id` of an account': ['account.create', 'account.profile-update'],
  'replace an item of an account': [],
  'delete items of an account': [],
  'create an API token for an account': [
    ...['token.create-login-token', 'token.create', 'token.create-own', 'token.rotate'],
  ],
  'replace a password hash': ['account.login', 'account.password'],
  'create a one-time code, which sets a password': ['account.code', 'account.create'],
  'commit a `user_cancel` event, which the relay publishes': ['account.cancel'],
};

/** Kinds that are still put and deleted in transactions, or have attributes of other kinds, give these the power. */
const NOT_YET: Readonly<Record<string, readonly string[]>> = {
  'change `roles` of an account': [
    'token.create-login-token',
    'token.create',
    'token.create-own',
    'token.rotate',
  ],
  'replace an item of an account': [
    ...['account.code', 'account.create'],
    ...['token.create-login-token', 'token.create', 'token.create-own', 'token.rotate'],
  ],
  'delete items of an account': [
    ...['account.cancel', 'account.lock', 'account.password', 'account.reactivate', 'oauth.revoke'],
    ...[
      'token.create-login-token',
      'token.delete',
      'token.revoke',
      'token.rotate',
      'token.announce-expiring',
    ],
    SUPPORT,
  ],
  'create a one-time code, which sets a password': [
    'account.cancel',
    'account.lock',
    'account.password',
    SUPPORT,
  ],
};

test.each(Object.entries(MEANT))(
  'only those meant may %s under both readings of transactions',
  (power, meant) => {
    expect(new Map(holdersOfPowers(standard)).get(power)).toEqual(meant);
    const others = whole.get(power)?.filter((id) => !meant.includes(id)) ?? [];
    expect(others).toEqual(NOT_YET[power] ?? []);
  },
);

test('every power that differs between the readings has its reason', () => {
  const differing = holdersOfPowers(standard).filter(
    ([power, { length }]) => whole.get(power)?.length !== length,
  );
  expect(differing.map(([power]) => power)).toEqual(Object.keys(DIFFERENCES));
});

test('the page of security lists the holders of each power', () => {
  const part = `<!-- powers -->\n\n${textOf(powersTable(standard))}\n\n<!-- /powers -->`;
  expect(readFileSync('lib/auth/README.md', 'utf8'), STALE.docs).toContain(part);
});
