import { expect, test } from 'vitest';
import { policiesOf } from '#infra/aws/policies';
import { holdersOfPowers } from '#infra/powers';
import { EVERY_OPTION, inApp, PROD } from './synth.ts';

const [standard, prod, every] = [{}, PROD, EVERY_OPTION].map((context) =>
  holdersOfPowers(inApp(context, (stack) => policiesOf(stack))),
);
const holders = new Map(prod);

const CREATING = ['token.create-login-token', 'token.create-own', 'token.create', 'token.rotate'];
const REPLACING = ['token.create-login-token', 'token.delete', 'token.revoke', 'token.rotate'];
const PUBLISHING = ['cancel', 'create', 'lock', 'password', 'reactivate', 'unlock'].map(
  (verb) => `account.${verb}`,
);

test.each<[power: string, functions: readonly string[]]>([
  ['change `roles` of an account', ['account.access', 'account.copy', 'account.create']],
  ['change `isactive` of an account', ['account.cancel', 'account.create', 'account.reactivate']],
  [
    'change `stamp` of an account, which ends its sessions',
    [
      ...['cancel', 'create', 'end-session', 'lock', 'logout', 'password'].map((verb) => `account.${verb}`),
      ...REPLACING,
      'oauth.revoke',
    ],
  ],
  [
    'change `lockoutend` of an account',
    ['account.lock', 'account.login', 'account.password', 'account.unlock'],
  ],
  ['change `id` of an account', ['account.create', 'account.profile-update']],
  ['change `username` of an account', ['account.create']],
  ['replace an item of an account', ['account.create']],
  ['delete items of an account', []],
  ['create an API token for an account', CREATING],
  ['delete an API token', ['account.reactivate', 'oauth.revoke', ...REPLACING]],
  ['read password hashes', ['account.login', 'account.password']],
  ['replace a password hash', ['account.login', 'account.password']],
  ['create a one-time code, which sets a password', ['account.code', 'account.create']],
  ['read the private key', ['account.login', 'account.password', 'keys.rotate-signing-key']],
  ['publish a public key', ['account.login', 'account.password', 'keys.rotate-signing-key']],
  // It deletes expired keys: it could delete a revoked one and publish it again.
  ['make a revoked key valid', ['keys.rotate-signing-key']],
  ['read the secret that signs cursors', ['account.browse', 'audit.browse', 'token.browse']],
  ['change or remove entries of `audit.browse`, not of the audit log', ['audit.collect']],
  [
    'publish any event',
    [
      ...PUBLISHING,
      ...new Set([...CREATING, ...REPLACING]),
      'oauth.revoke',
      'token.announce-expiring',
      'events.relay-outbox',
    ],
  ],
])('by the policies of prod, only these functions may %s', (power, functions) => {
  expect(holders.get(power)?.toSorted()).toEqual(functions.toSorted());
});

test('powers are the same in every stage, and the test knows all but reading accounts', () => {
  expect([standard, every]).toEqual([prod, prod]);
  expect(prod).toHaveLength(20);
  expect(holders.get('read any account')?.length).toBeGreaterThan(20);
});
