import { describe, expect, test } from 'vitest';
import { directoryItem } from '#lib/account/directory/item';
import { cancelAccount } from '#lib/account/lifecycle/cancel';
import { lockAccount, unlockAccount } from '#lib/account/lifecycle/lock';
import { reactivateAccount } from '#lib/account/lifecycle/reactivate';
import { auditedTerms, type LockTerms, lockTerms } from '#lib/account/lock-terms';
import { parse } from '#lib/input/parse';
import { type Account, FOREVER } from '#lib/item/account';
import { lockForATime } from '#lib/login/lockout';
import { readCounters } from '#lib/stats/counters';
import { totalsOf } from '#lib/stats/slices';
import { allSlices, cancellationKey } from '#lib/table/keys';
import { get, getAll } from '#lib/table/read';
import { withOffset } from '#lib/time';
import { generateApiToken } from '#lib/token/secret';
import { seededBytes } from '../../../names.ts';
import { by, NOON, openTestTable } from '../../support/engine.ts';
import { lockUntil } from '../../support/set-attributes.ts';

const { table, runtime, account, stored, operations, wire } = await openTestTable();

const root = by('Root');
const AT = new Date(NOON).toISOString();
const END = NOON + 60_000;
const lock = (target: Account, terms?: LockTerms) => lockAccount(runtime, target, root, terms);
const lockTill = (end: number, reason?: string) => (target: Account) => lock(target, { until: end, reason });
const unlock = (target: Account) => unlockAccount(runtime, target, root);
const cancel = (target: Account) => cancelAccount(runtime, target, root);
const reactivate = (target: Account) => reactivateAccount(runtime, target, root, { revoke_tokens: false });

const lockedUntil = async (end: number) => lockUntil(table, await account(), end);
const temporarily = () => lockedUntil(NOON + 1);
const changed = (change: Case['change']) => async () => {
  const target = await account({ token_count: 2 });
  await change(target);
  return stored(target);
};

/** Counted accounts that are locked without an end, and with one. */
async function locked() {
  const slices = (await getAll(table, allSlices)).filter((slice) => slice !== undefined);
  return [(await readCounters(table)).locked, totalsOf(slices).lockedAt(NOON)] as const;
}
/** The differences that an action makes to {@link locked}. */
async function lockedBy(action: () => Promise<unknown>) {
  const before = await locked();
  await action();
  return (await locked()).map((count, index) => count - (before[index] as number));
}

interface Case {
  readonly name: string;
  readonly change: (target: Account) => Promise<{ readonly changed: boolean }>;
  readonly from: () => Promise<Account>;
  readonly to: object;
  readonly endsSessions?: boolean;
  /** Accounts locked without an end, and with one, that the change adds. */
  readonly counted: readonly [number, number];
  /** The answer in addition to the directory item, first and when repeated. */
  readonly answers?: readonly [object, object];
  /** The operations of the change. */
  readonly makes?: readonly string[];
  /** The operations of a repetition. */
  readonly repeats?: readonly string[];
}

const FREE = { lockoutend: undefined, lock_reason: undefined, failures_cleared_at: NOON };
const LOCK = {
  change: (target: Account) => lock(target),
  to: { lockoutend: FOREVER, lock_reason: '' },
  endsSessions: true,
};
const ENDING = {
  ...LOCK,
  change: lockTill(END, 'fraud'),
  to: { ...LOCK.to, lockoutend: withOffset(END), lock_reason: 'fraud' },
  makes: ['GetItem', 'TransactWriteItems'],
};
const until = (end: number, reason?: string) => changed(lockTill(end, reason));
const UNLOCK = { change: unlock, to: FREE, repeats: ['UpdateItem'] };
const CANCELLED = { isactive: false, cancelled_at: AT, cancelled_by: 'Root', sequence_user_cancel: 1 };
const ACTIVE = {
  isactive: true,
  cancelled_at: undefined,
  cancelled_by: undefined,
  sequence_user_reactivate: 1,
};
const CANCEL = { change: cancel, to: CANCELLED, endsSessions: true };
const REACTIVATE = { change: reactivate, to: ACTIVE };
const revived = (tokens_revived: number) => ({
  tokens_revived,
  tokens_revoked: 0,
  passkeys_ended: 0,
  trusts_revived: 0,
  trusts_ended: 0,
});

describe.each<Case>([
  { ...LOCK, name: 'lockAccount', from: account, counted: [1, 0] },
  { ...LOCK, name: 'lockAccount of a temporarily locked account', from: temporarily, counted: [1, -1] },
  { ...LOCK, name: 'lockAccount of an account locked with an end', from: until(END, 'x'), counted: [1, -1] },
  {
    ...{ ...LOCK, name: 'lockAccount with another reason, locked for good', from: changed(lock) },
    ...{ change: (target) => lock(target, { reason: 'x' }), to: { lock_reason: 'x' }, counted: [0, 0] },
  },
  { ...ENDING, name: 'lockAccount with an end', from: account, counted: [0, 1] },
  { ...ENDING, name: 'lockAccount with an end, temporarily locked', from: temporarily, counted: [0, 0] },
  { ...ENDING, name: 'lockAccount with the end of a lockout', from: () => lockedUntil(END), counted: [0, 0] },
  { ...ENDING, name: 'lockAccount with an end, locked for good', from: changed(lock), counted: [-1, 1] },
  { ...ENDING, name: 'lockAccount with another end', from: until(END + 60_000, 'fraud'), counted: [0, 0] },
  { ...ENDING, name: 'lockAccount with another reason', from: until(END), counted: [0, 0] },
  { ...UNLOCK, name: 'unlockAccount', from: changed(lock), counted: [-1, 0] },
  { ...UNLOCK, name: 'unlockAccount of a lock with an end', from: until(END, 'x'), counted: [0, -1] },
  { ...UNLOCK, name: 'unlockAccount of a temporarily locked account', from: temporarily, counted: [0, -1] },
  { ...CANCEL, name: 'cancelAccount', from: account, counted: [0, 0] },
  {
    ...{ ...REACTIVATE, name: 'reactivateAccount', from: changed(cancel), counted: [0, 0] },
    makes: ['TransactWriteItems'],
    answers: [revived(2), revived(0)],
  },
  {
    ...{ ...REACTIVATE, name: 'reactivateAccount of an account cancelled by an earlier version' },
    ...{ from: () => account({ isactive: false }), counted: [0, 0], answers: [revived(0), revived(0)] },
  },
])(
  '$name',
  ({
    change,
    from,
    to,
    endsSessions,
    counted,
    answers = [{}, {}],
    makes = ['TransactWriteItems'],
    repeats = [],
  }) => {
    test('changes the state, the sessions and the counters in one transaction', async () => {
      const before = await stored(await from());
      let result: unknown;
      const difference = await lockedBy(async () => {
        wire.reset();
        result = await change(before);
        expect(operations()).toEqual(makes);
      });
      const now = await stored(before);
      const stamp = endsSessions ? expect.not.stringMatching(before.stamp) : before.stamp;
      const { transitions = 0, code_generation = 0 } = before;
      const codes = { code_generation: endsSessions ? expect.any(Number) : before.code_generation };
      if (endsSessions) expect(now.code_generation).toBeGreaterThan(code_generation);
      expect(now).toEqual({ ...before, ...to, ...codes, stamp, transitions: transitions + 1 });
      expect(result).toEqual({ ...directoryItem(now, NOON, runtime.settings), changed: true, ...answers[0] });
      expect(difference).toEqual(counted);
    });

    test('changes nothing when it is repeated', async () => {
      const before = await from();
      await change(before);
      const done = await stored(before);
      wire.reset();
      expect(await change(done)).toEqual({
        ...directoryItem(done, NOON, runtime.settings),
        changed: false,
        ...answers[1],
      });
      expect(operations()).toEqual(repeats);
      expect(await lockedBy(() => change(before))).toEqual([0, 0]);
      expect(await stored(before)).toEqual(done);
    });

    test('changes the state once when three callers request it at once', async () => {
      const before = await from();
      const results: { readonly changed: boolean }[] = [];
      const difference = await lockedBy(async () => {
        results.push(...(await Promise.all([1, 2, 3].map(() => change(before)))));
      });
      expect(results.filter(({ changed }) => changed)).toHaveLength(1);
      expect(difference).toEqual(counted);
      expect(await stored(before)).toMatchObject({ transitions: (before.transitions ?? 0) + 1 });
    });
  },
);

test('parallel lockouts, permanent locks, locks with different ends and unlocks leave exact counters', async () => {
  const target = await account();
  const lockOut = ({ username }: Account) => lockForATime(runtime, username, undefined, 0);
  const kinds = (n: number) => [
    lockTill(END + n * 10_000),
    lock,
    lockTill(END + n * 20_000),
    unlock,
    lockOut,
  ];
  const changes = Array.from({ length: 20 }, (_, n) => kinds(n)[n % 5] as (of: Account) => Promise<unknown>);
  const difference = await lockedBy(() => Promise.all(changes.map((change) => change(target))));
  const { lockoutend } = await stored(target);
  expect(difference).toEqual([Number(lockoutend === FOREVER), Number(lockoutend?.startsWith('2'))]);
});

test('lockAccount refuses an end that is not in the future, and treats the last end as none', async () => {
  const target = await account();
  wire.reset();
  const refused = { code: 'invalid_request', errors: [{ field: 'until', message: 'Must be in the future' }] };
  const own = by(target.username);
  await expect(lockAccount(runtime, target, own, { until: NOON })).rejects.toMatchObject(refused);
  expect(operations()).toEqual([]);
  expect(await lockedBy(() => lockTill(Date.parse(FOREVER))(target))).toEqual([1, 0]);
  expect(await lock(target)).toMatchObject({ changed: false, lockoutend: FOREVER });
});

test('the terms of a lock have no credential in the reason, which is stored and audited', () => {
  const reason = `lost the token ${generateApiToken(seededBytes)}, 0AJK-MN12-XYZ9`;
  const terms = parse(lockTerms(), { reason, until: AT });
  expect(terms).toEqual({ reason: 'lost the token [redacted], [redacted]', until: NOON });
  expect(auditedTerms(terms)).toEqual({ until: AT, reason: terms.reason });
  expect(auditedTerms({ reason: '' })).toEqual({ until: null, reason: null });
});

test.each([
  ['lockAccount', lockAccount],
  ['cancelAccount', cancelAccount],
])('%s refuses the own account in any case', async (_name, change) => {
  const self = await account({ username: `Self.${_name}` });
  wire.reset();
  for (const name of [self.username, self.username.toLowerCase(), self.username.toUpperCase()])
    await expect(change(runtime, self, by(name))).rejects.toMatchObject({ code: 'self_target' });
  expect(operations()).toEqual([]);
});

test('unlockAccount accepts the own account', async () => {
  const self = await temporarily();
  expect(await unlockAccount(runtime, self, by(self.username))).toMatchObject({ changed: true });
});

test.each([
  ['that is not locked', () => account()],
  ['whose lockout has ended', () => lockedUntil(NOON)],
])('unlockAccount only clears the failures of an account %s', async (_what, from) => {
  const before = await stored(await from());
  wire.reset();
  expect(await unlock(before)).toEqual({ ...directoryItem(before, NOON, runtime.settings), changed: false });
  expect(operations()).toEqual(['UpdateItem']);
  expect(await stored(before)).toEqual({ ...before, failures_cleared_at: NOON });
});

test('unlockAccount uncounts a permanent lock that came after the account was read', async () => {
  const stale = await lockedUntil(NOON + 60_000);
  await lock(stale);
  expect(await lockedBy(() => unlock(stale))).toEqual([-1, 0]);
  expect(await stored(stale)).not.toHaveProperty('lockoutend');
});

test('lockAccount changes nothing when an earlier version has locked the account, without a reason', async () => {
  expect(await lock(await account({ lockoutend: FOREVER }))).toMatchObject({ changed: false });
});

test('cancelAccount adds the list entry that reactivateAccount lets expire, in the write that decides', async () => {
  const target = await account();
  const entry = () => get(table, cancellationKey(target.username, AT));
  await cancel(target);
  expect(await entry()).toMatchObject({ cancelled_username: target.username, cancelled_at: AT });
  const cancelled = await stored(target);
  wire.reset();
  await reactivate(cancelled);
  expect(operations().filter((operation) => /Delete|Update/.test(operation))).toEqual([]);
  expect(await entry()).toMatchObject({
    cancelled_username: target.username,
    cancelled_at: AT,
    ttl: NOON / 1000,
  });
});
