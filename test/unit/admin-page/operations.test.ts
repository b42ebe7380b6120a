import { expect, test } from 'vitest';
import {
  type Group,
  inverseOf,
  type Now,
  operationKey,
  stayOf,
  summaryOf,
  takenBackBy,
} from '../../../infra/admin-page/accounts/operations.ts';
import type { Account, AuditEntry } from '../../../lib/client/index.ts';

const BATCH = '0f2b6c9e-3d4a-4c11-9a55-6f1b2c3d4e5f';
const OTHER = '1f2b6c9e-3d4a-4c11-9a55-6f1b2c3d4e5f';

const entry = ({ details = {}, ...rest }: Partial<AuditEntry> = {}, size = 3): AuditEntry => ({
  time: '2026-11-20T14:02:00.000Z',
  actor: 'ada',
  credential: null,
  action: 'account.access',
  target: 'bob',
  outcome: 'ok',
  changed: true,
  source: null,
  requestId: 'r',
  ...rest,
  details: { batch: BATCH, batch_size: size, ...details },
});

/** The lists that the service writes, of which one has names. */
const LISTS = {
  roles_added: [],
  roles_removed: [],
  teams_added: [],
  teams_removed: [],
  apps_added: [],
  apps_removed: [],
};

const gave = (target: string, rest: Partial<AuditEntry> = {}) =>
  entry({ target, details: { ...LISTS, roles_added: ['hr'] }, ...rest });
const hadIt = (target: string) => entry({ target, changed: false, details: LISTS });
const took = (target: string, rest: Partial<AuditEntry> = {}) =>
  entry({
    target,
    time: '2026-11-20T15:00:00.000Z',
    details: { batch: OTHER, roles_removed: ['hr'], roles_added: [] },
    ...rest,
  });

test.each<[string, Group, object]>([
  [
    'gave a role',
    [gave('bob'), gave('cai'), hadIt('dan')],
    { kind: 'given', roles: ['hr'], changed: 2, unchanged: 1, failed: 0, size: 3 },
  ],
  ['took a role', [took('bob'), took('cai')], { kind: 'taken', roles: ['hr'], changed: 2, size: 3 }],
  [
    'gave different roles',
    [gave('bob'), gave('cai', { details: { roles_added: ['it'] } })],
    { kind: 'other', roles: [], changed: 2 },
  ],
  [
    'gave a role and a team',
    [gave('bob', { details: { roles_added: ['hr'], teams_added: ['ops'] } })],
    { kind: 'other', roles: [] },
  ],
  ['changed nobody', [hadIt('bob'), hadIt('cai')], { kind: 'other', changed: 0, unchanged: 2 }],
  [
    'failed for some',
    [
      entry({ action: 'account.lock' }),
      entry({ action: 'account.lock', outcome: 'account_not_found', changed: false }),
    ],
    { kind: 'locked', changed: 1, unchanged: 0, failed: 1 },
  ],
  [
    'was refused several times in an hour',
    [
      entry({ action: 'account.lock' }),
      entry({ action: 'account.lock', outcome: 'forbidden', changed: false, count: 4 }),
    ],
    { kind: 'locked', changed: 1, failed: 4, size: 5 },
  ],
  [
    'imported people who existed',
    [
      entry({ action: 'account.create' }),
      entry({ action: 'account.create', outcome: 'account_exists', changed: false }),
      entry({ action: 'account.create', outcome: 'team_not_found', changed: false }),
    ],
    { kind: 'created', changed: 1, unchanged: 1, failed: 1 },
  ],
  ['is loaded in part', [entry({ action: 'account.code' }, 40)], { kind: 'other', changed: 1, size: 40 }],
])('the summary of an operation that %s counts people', (_what, group, expected) => {
  expect(summaryOf(group)).toMatchObject(expected);
});

test('an operation has entries with a batch, an actor and an action in common', () => {
  const key = operationKey(gave('bob'));
  expect(key).toBeDefined();
  expect(operationKey(hadIt('cai'))).toBe(key);
  for (const other of [gave('cai', { actor: 'eve' }), gave('cai', { action: 'account.lock' }), took('cai')])
    expect(operationKey(other)).not.toBe(key);
  expect(operationKey({ ...gave('bob'), details: null })).toBeUndefined();
  expect(operationKey({ ...gave('bob'), details: { batch: ['forged'] } })).toBeUndefined();
  expect(operationKey(entry({}, 1))).toBeUndefined();
});

test.each<[string, Partial<AuditEntry>, object | undefined]>([
  [
    'a role that was given',
    { details: { roles_added: ['hr'] } },
    { kind: 'access', add: {}, remove: { roles: ['hr'] } },
  ],
  [
    'a role and a team that were taken',
    { details: { roles_removed: ['hr'], teams_removed: ['ops'] } },
    { kind: 'access', add: { roles: ['hr'], teams: ['ops'] }, remove: {} },
  ],
  ['a lock', { action: 'account.lock', details: { until: null, reason: null } }, { kind: 'unlock' }],
  ['a cancellation', { action: 'account.cancel' }, { kind: 'reactivate' }],
  ['a created account', { action: 'account.create', details: { roles_added: ['hr'] } }, { kind: 'cancel' }],
  ['an unlock, whose entry does not have the lock', { action: 'account.unlock' }, undefined],
  ['a one-time code', { action: 'account.code' }, undefined],
  ['a reactivation', { action: 'account.reactivate' }, undefined],
  ['a new owner of a machine', { details: { roles_added: ['hr'], machine_owner: 'bea' } }, undefined],
  ['a person turned into a machine', { details: { to_machine: true } }, undefined],
  ['what changed nothing', { changed: false, details: { roles_added: ['hr'] } }, undefined],
  ['what failed', { outcome: 'forbidden', details: { roles_added: ['hr'] } }, undefined],
  ['what has no target', { target: null, details: { roles_added: ['hr'] } }, undefined],
  ['a forged detail', { details: { roles_added: 'hr' } }, undefined],
])('the inverse of %s', (_what, rest, inverse) => {
  expect(inverseOf(entry(rest))).toEqual(inverse);
});

const item = (rest: object = {}) =>
  ({
    username: 'bob',
    isactive: true,
    islocked: false,
    lockoutending: null,
    lock_reason: '',
    cancelled_at: null,
    created_at: '2026-11-20T14:02:00.000Z',
    lastActivity: '2026-11-20T14:02:00.000',
    ...rest,
  }) as Account;

const stay = (of: AuditEntry, now: Now) =>
  stayOf(of, inverseOf(of) as NonNullable<ReturnType<typeof inverseOf>>, now);

test.each<[string, AuditEntry, Now, string | undefined]>([
  ['has the role', gave('bob'), { item: item(), profile: { roles: ['hr', 'it'] } }, undefined],
  ['has lost the role', gave('bob'), { item: item(), profile: { roles: ['it'] } }, 'changed'],
  ['is without the role', took('bob'), { item: item(), profile: { roles: [] } }, undefined],
  ['has got the role again', took('bob'), { item: item(), profile: { roles: ['hr'] } }, 'changed'],
  [
    'is in the team',
    entry({ details: { teams_added: ['ops'] } }),
    { item: item(), profile: { teams: [{ team_short: 'ops' }] as never } },
    undefined,
  ],
  ['does not exist', gave('bob'), { item: undefined }, 'gone'],
])('an account that %s shows whether access can be taken back', (_what, of, now, expected) => {
  expect(stay(of, now)).toBe(expected);
});

const lock = (details = {}) =>
  entry({ action: 'account.lock', details: { until: null, reason: null, ...details } });
const FOREVER = '9999-12-31T23:59:59.999Z';
const until = '2026-11-23T08:00:00.000Z';

test.each<[string, AuditEntry, Account, string | undefined]>([
  ['the same lock', lock(), item({ islocked: true, lockoutending: FOREVER }), undefined],
  [
    'the same reason and end',
    lock({ until, reason: 'on leave' }),
    item({ islocked: true, lockoutending: '2026-11-23T08:00:00Z', lock_reason: 'on leave' }),
    undefined,
  ],
  [
    'another reason',
    lock(),
    item({ islocked: true, lockoutending: FOREVER, lock_reason: 'theft' }),
    'changed',
  ],
  ['another end', lock({ until }), item({ islocked: true, lockoutending: FOREVER }), 'changed'],
  ['no lock', lock(), item(), 'changed'],
])('an account with %s shows whether a lock can be taken back', (_what, of, now, expected) => {
  expect(stay(of, { item: now })).toBe(expected);
});

const cancel = entry({ action: 'account.cancel' });
const created = entry({ action: 'account.create' });

test.each<[string, AuditEntry, Account, string | undefined]>([
  ['is cancelled', cancel, item({ isactive: false, cancelled_at: '2026-11-20T14:01:59.900Z' }), undefined],
  ['is active again', cancel, item(), 'changed'],
  [
    'was cancelled again',
    cancel,
    item({ isactive: false, cancelled_at: '2026-11-20T15:00:00.000Z' }),
    'changed',
  ],
  ['was never used', created, item(), undefined],
  ['was used', created, item({ lastActivity: '2026-11-20T14:30:00.000' }), 'used'],
  ['is cancelled already', created, item({ isactive: false }), 'changed'],
  ['is of somebody with the same name', created, item({ created_at: '2026-11-21T09:00:00.000Z' }), 'changed'],
])('an account that %s shows whether it can be taken back', (_what, of, now, expected) => {
  expect(stay(of, { item: now })).toBe(expected);
});

test('an operation is taken back once the inverse was done for each whom it changed', () => {
  const group: Group = [gave('bob'), gave('cai'), hadIt('dan')];
  const backs = [took('bob', { time: '2026-11-20T15:00:01.000Z' }), took('cai')];
  expect(takenBackBy(group, [...backs, ...group])?.target).toBe('bob');
  expect(takenBackBy(group, [took('bob'), ...group])).toBeUndefined();
  expect(takenBackBy(group, group)).toBeUndefined();
  const earlier = backs.map((back) => ({ ...back, time: '2026-11-20T13:00:00.000Z' }));
  expect(takenBackBy(group, [...group, ...earlier])).toBeUndefined();
  const others = ['bob', 'cai'].map((target) => took(target, { details: { roles_removed: ['it'] } }));
  expect(takenBackBy(group, [...others, ...group])).toBeUndefined();
});

test.each([
  ['account.lock', 'account.unlock'],
  ['account.cancel', 'account.reactivate'],
  ['account.create', 'account.cancel'],
])('%s is taken back by %s', (action, inverse) => {
  const group: Group = [entry({ action })];
  const back = entry({ action: inverse, time: '2026-11-20T15:00:00.000Z' });
  expect(takenBackBy(group, [back, ...group])).toBe(back);
});
