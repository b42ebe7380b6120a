import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { limitedPoliciesOf, policiesOf } from '#infra/aws/policies';
import { isAllowed } from '#infra/policy';
import { DIFFERENCES, holdersOfPowers, holdersOfRevivals } from '#infra/powers';
import { FUNCTIONS, VERIFIED } from '#lib/audit/streams';
import { powersTable, revivalsTable, textOf } from '../../infra/docs.ts';
import { STALE } from '../stale.ts';
import { EVERY_OPTION, inApp } from './synth.ts';

const standard = inApp({}, (stack) => limitedPoliciesOf(stack));
const whole = new Map(holdersOfPowers(standard, 'whole'));

test('functions and support have the same powers in every stage', () => {
  // The options include those of prod.
  const every = inApp({ ...EVERY_OPTION, stackName: 'core-account' }, (stack) => limitedPoliciesOf(stack));
  expect(holdersOfPowers(every, 'whole')).toEqual([...whole]);
});

test('each power has few holders, except reading accounts', () => {
  const common = holdersOfPowers(standard).filter(([, { length }]) => length > 26);
  expect(common.map(([power]) => power)).toEqual(['read any account']);
});

/** Holders of critical powers, whichever way AWS judges transactions; a deletion or a put in one gives others the power. */
const MEANT: Readonly<Record<string, readonly string[]>> = {
  'change `roles` of an account': ['account.access', 'account.copy', 'account.create'],
  'change `isactive` of an account': ['account.cancel', 'account.create', 'account.reactivate'],
  'change `id` of an account': ['account.create', 'account.profile-update'],
  'replace an item of an account': [],
  'delete items of an account': ['account.erase', 'account.complete-erasures'],
  // The first and the last two end all passkeys. They can list no other one: its item names its owner.
  'create a passkey for an account': [
    ...['account.access', 'account.passkey-create', 'account.passkey-delete', 'account.password'],
    'account.reactivate',
  ],
  'replace the public key of a passkey': ['account.passkey-create', 'account.passkey-delete'],
  'stop creations and erasures, by the check value of the erasure key': ['account.create', 'account.erase'],
  'read anything else in the whole table at once': [],
  'commit a `user_erase` event, which the relay publishes': ['account.erase'],
  // Support may block, and forgets no attempt of anyone.
  'forget failed logins, codes and assertions, which their limits count': [
    ...['account.login', 'account.passkey-assert', 'account.password'],
  ],
  'block or unblock a source address': [
    ...['account.login', 'account.passkey-assert', 'account.password', 'policy of support'],
  ],
  'create an API token for an account': [
    ...['token.create-login-token', 'token.create', 'token.create-own', 'token.rotate'],
  ],
  'replace a password hash': ['account.login', 'account.password'],
  'create a one-time code, which sets a password': ['account.code', 'account.create'],
  // Only the token endpoint signs tokens for other services, and nothing else has a need of their keys but to show them.
  'read the private key of tokens for other services, and so sign any of them': [
    'oauth.token',
    'keys.rotate-resource-key',
  ],
  'replace the private key of tokens for other services': ['keys.rotate-resource-key'],
  'publish or withdraw a public key of tokens for other services, which they learn within 2 hours': [
    'oauth.token',
    'keys.rotate-resource-key',
  ],
  'make a revoked key of tokens for other services valid': ['keys.rotate-resource-key'],
  'replace the private key': ['keys.rotate-signing-key'],
  'make a revoked key valid': ['keys.rotate-signing-key'],
  'commit a `user_cancel` event, which the relay publishes': ['account.cancel'],
  'put entries of any action except commands, by anyone except operators, into the audit log': [
    'audit.collect',
    'audit.refill',
  ],
  'put entries of commands, by its own operators, into the audit log': ['policy of support'],
  'put entries of `account.erase`, by anyone except operators and about anyone, into the audit log': [
    'account.erase',
  ],
  'put entries of `system.ping`, likewise, and so each function those of its own action only': [
    'system.ping',
  ],
};

/** Others that gain nothing by the power: setting a password is theirs in any reading. */
const HARMLESS: Readonly<Record<string, readonly string[]>> = {
  'create a one-time code, which sets a password': ['account.password'],
};

test.each(Object.entries(MEANT))(
  'only those meant may %s under both readings of transactions',
  (power, meant) => {
    expect(new Map(holdersOfPowers(standard)).get(power)).toEqual(meant);
    expect(whole.get(power)).toEqual([...meant, ...(HARMLESS[power] ?? [])]);
  },
);

test('every power that differs between the readings has its reason', () => {
  const differing = holdersOfPowers(standard).filter(
    ([power, { length }]) => whole.get(power)?.length !== length,
  );
  expect(differing.map(([power]) => power)).toEqual(Object.keys(DIFFERENCES));
});

test('only those meant may write back the passkeys of an account, or the number that ends its codes', () => {
  const holders = new Map(holdersOfRevivals(standard).map((each) => [each.attribute, each.holders]));
  expect(holders.get('passkeys`, `enrolments')).toEqual([
    ...['account.access', 'account.passkey-create', 'account.passkey-delete', 'account.password'],
    'account.reactivate',
  ]);
  expect(holders.get('code_generation')).toEqual([
    ...['account.access', 'account.cancel', 'account.lock', 'account.password', 'token.revoke'],
    'policy of support',
  ]);
});

test('the page of security lists the holders of each power, and of what revives credentials', () => {
  const parts = { powers: powersTable(standard), revivals: revivalsTable(standard) };
  for (const [name, table] of Object.entries(parts)) {
    const part = `<!-- ${name} -->\n\n${textOf(table)}\n\n<!-- /${name} -->`;
    expect(readFileSync('lib/auth/powers.md', 'utf8'), STALE.docs).toContain(part);
  }
});

/** The streams of the audit log, by who may write them. */
const STREAMS = {
  collectors: VERIFIED,
  'nobody any more': FUNCTIONS,
  support: 'operators/support/commands',
  administrator: 'operators/administrator/commands',
  nobody: 'operators',
};

test('each stream of the audit log has writers of one kind, by which its lines are attributed', () => {
  const operators = inApp({}, (stack) => policiesOf(stack, 'operators'));
  const holders = Object.entries({ ...inApp({}, (stack) => policiesOf(stack)), ...operators });
  const ofStack = `arn:\${AWS::Partition}:logs:\${AWS::Region}:\${AWS::AccountId}:log-group:\${AWS::Logs::LogGroup}`;
  const writersOf = (stream: string) =>
    holders.flatMap(([id, statements]) => {
      const resource = `${ofStack}:log-stream:${stream}`;
      return isAllowed(statements, { action: 'logs:PutLogEvents', resource, context: {} }) ? [id] : [];
    });
  expect(Object.fromEntries(Object.entries(STREAMS).map(([id, stream]) => [id, writersOf(stream)]))).toEqual({
    collectors: ['audit.collect', 'audit.refill'],
    'nobody any more': [],
    support: ['support'],
    administrator: ['administrator'],
    nobody: [],
  });
});
