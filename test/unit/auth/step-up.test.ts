import { describe, expect, test } from 'vitest';
import { isListed, MAX_ASSERTION_AGE, refusalOf } from '#lib/auth/step-up';
import type { StepUp } from '#lib/contract/contract';
import { type Settings, settingsFromEnvironment } from '#lib/instance/settings';
import type { Account } from '#lib/item/account';
import { AMR, CLOCK_SKEW_SECONDS, type Session } from '#lib/session/session-token';
import { accountItem, NOON } from '../support/items.ts';

const administrator = accountItem({ username: 'Root', roles: ['sys_administrator'] });
const person = accountItem({ username: 'Ada', roles: ['sys_tokens', 'auditor'] });

const DEMOTION = { list: 'remove.roles', value: 'a' };

describe('a request is listed', () => {
  test.each<[string, StepUp, Account, string | undefined, unknown, boolean]>([
    ['always', 'always', person, undefined, undefined, true],
    ['about another account', { about: 'another' }, person, 'Bob', undefined, true],
    ['not about the account of its caller', { about: 'another' }, person, 'ADA', undefined, false],
    ['not without a target', { about: 'another' }, person, undefined, undefined, false],
    ['by one of its conditions', { about: 'another', with: ['hours'] }, person, 'Bob', {}, true],
    ['with a field', { with: ['hours', 'roles'] }, person, undefined, { roles: ['a'] }, true],
    ['with a nested field', { with: ['add.roles'] }, person, undefined, { add: { roles: ['a'] } }, true],
    ['with the value 0', { with: ['hours'] }, person, undefined, { hours: 0 }, true],
    ['not with an empty list', { with: ['add.roles'] }, person, undefined, { add: { roles: [] } }, false],
    ['not with null', { with: ['hours'] }, person, undefined, { hours: null }, false],
    [
      'not with other fields',
      { with: ['add.roles'] },
      person,
      undefined,
      { remove: { roles: ['a'] } },
      false,
    ],
    ['with a value in a list', { with: [DEMOTION] }, person, 'Bob', { remove: { roles: ['b', 'a'] } }, true],
    ['not with other values', { with: [DEMOTION] }, person, 'Bob', { remove: { roles: ['b', 'A'] } }, false],
    ['not with the value alone', { with: [DEMOTION] }, person, 'Bob', { remove: { roles: 'a' } }, false],
    ['not without a body for its list', { with: [DEMOTION] }, person, 'Bob', undefined, false],
    ['not without a body', { with: ['add.roles'] }, person, undefined, undefined, false],
    ['not without conditions', {}, administrator, 'Bob', { roles: ['a'] }, false],
  ])('%s', (_title, stepUp, caller, target, body, expected) => {
    expect(isListed(stepUp, { caller, target, body })).toBe(expected);
  });
});

const withPasskey = (account: Account): Account => ({ ...account, passkeys: { laptop: 'key-1' } });
const settingsOf = (part: Partial<Settings>): Settings => ({ ...settingsFromEnvironment({}), ...part });
const [OFF, OFFERED, REQUIRED] = (['off', 'offered', 'administrators'] as const).map((SecondFactor) =>
  settingsOf({ SecondFactor }),
) as [Settings, Settings, Settings];
const WITHOUT_TOKENS = { AdministratorTokens: false };
const LEVEL_1: Session = { sub: '1', name: 'Ada', sst: '2', amr: AMR.password };
const asserted = (seconds: number): Session => ({
  ...LEVEL_1,
  amr: AMR.passkey,
  auth_time: NOON / 1000 - seconds,
  pid: 'key-1',
});
const TOKEN = undefined;

test.each<[string, Settings, Account, Session | undefined, string | undefined]>([
  ['off: a session of an administrator', OFF, withPasskey(administrator), LEVEL_1, undefined],
  [
    'off: a token, without AdministratorTokens',
    { ...OFF, ...WITHOUT_TOKENS },
    administrator,
    TOKEN,
    undefined,
  ],
  ['offered: an administrator without a passkey', OFFERED, administrator, LEVEL_1, undefined],
  ['offered: an administrator with a passkey', OFFERED, withPasskey(administrator), LEVEL_1, 'amr'],
  ['offered: a person with a passkey', OFFERED, withPasskey(person), LEVEL_1, 'amr'],
  ['offered: a token', OFFERED, withPasskey(administrator), TOKEN, undefined],
  [
    'offered: a token, without AdministratorTokens',
    { ...OFFERED, ...WITHOUT_TOKENS },
    withPasskey(administrator),
    TOKEN,
    undefined,
  ],
  ['administrators: an administrator without a passkey', REQUIRED, administrator, LEVEL_1, 'passkey'],
  ['administrators: an assertion of a passkey that is gone', REQUIRED, administrator, asserted(1), 'passkey'],
  ['administrators: an administrator with a passkey', REQUIRED, withPasskey(administrator), LEVEL_1, 'amr'],
  ['administrators: a person without a passkey', REQUIRED, person, LEVEL_1, undefined],
  ['administrators: a person with a passkey', REQUIRED, withPasskey(person), LEVEL_1, 'amr'],
  ['administrators: a token', REQUIRED, administrator, TOKEN, undefined],
  [
    'administrators: a token, without AdministratorTokens',
    { ...REQUIRED, ...WITHOUT_TOKENS },
    administrator,
    TOKEN,
    'credential',
  ],
  [
    'administrators: a token of a person, without AdministratorTokens',
    { ...REQUIRED, ...WITHOUT_TOKENS },
    withPasskey(person),
    TOKEN,
    undefined,
  ],
  ['an empty list of passkeys', OFFERED, { ...administrator, passkeys: {} }, LEVEL_1, undefined],
  [
    'the methods of a passkey without its time',
    OFFERED,
    withPasskey(person),
    { ...LEVEL_1, amr: AMR.passkey },
    'amr',
  ],
  ['a recent assertion', REQUIRED, withPasskey(administrator), asserted(0), undefined],
  ['the oldest assertion', REQUIRED, withPasskey(administrator), asserted(MAX_ASSERTION_AGE), undefined],
  ['an older assertion', REQUIRED, withPasskey(administrator), asserted(MAX_ASSERTION_AGE + 1), 'auth_time'],
  [
    'an assertion by a clock in advance',
    REQUIRED,
    withPasskey(administrator),
    asserted(-CLOCK_SKEW_SECONDS),
    undefined,
  ],
  [
    'an assertion in the future',
    REQUIRED,
    withPasskey(administrator),
    asserted(-CLOCK_SKEW_SECONDS - 1),
    'auth_time',
  ],
  [
    'a time in milliseconds',
    REQUIRED,
    withPasskey(administrator),
    { ...asserted(0), auth_time: NOON },
    'auth_time',
  ],
])(
  'a listed request is refused by what it lacks, if anything: %s',
  (_title, settings, caller, session, field) => {
    const refusal = refusalOf(settings, caller, session, NOON);
    expect(refusal?.field).toBe(field);
    const code = field === 'credential' ? 'forbidden' : 'step_up_required';
    expect(refusal?.code).toBe(field && code);
  },
);

test('an assertion confirms requests for 5 minutes', () => {
  expect(MAX_ASSERTION_AGE).toBe(300);
});
