import { expect, test } from 'vitest';
import { ENDPOINT_TIMEOUT_SECONDS } from '#lib/contract/contract';
import type { Attempt } from '#lib/item/login-attempts';
import {
  type Admission,
  type AttemptLimit,
  admit,
  countable,
  isKnown,
  isLockedOut,
  PER_ADDRESS,
  PER_NAME,
  PER_PAIR,
} from '#lib/login/attempts';
import { DAY_MS } from '#lib/time';
import { NOON as NOW } from '../support/engine.ts';
import { MINUTE } from './bench.ts';

test('the limits are 5 failures of a pair in 5 minutes, and 50 of an address or a name in 15 minutes', () => {
  const knownMs = 30 * DAY_MS;
  expect(PER_PAIR).toEqual({ name: 'username-and-address', max: 5, windowMs: 5 * MINUTE, knownMs });
  const [max, windowMs] = [50, 15 * MINUTE];
  expect(PER_ADDRESS).toEqual({ name: 'address', max, windowMs });
  expect(PER_NAME).toEqual({ name: 'username', max, windowMs, lockoutMs: windowMs });
});

const LIMIT: AttemptLimit = {
  name: 'test',
  max: 3,
  windowMs: 5 * MINUTE,
  lockoutMs: 15 * MINUTE,
  knownMs: 30 * DAY_MS,
};
const BARE: AttemptLimit = { name: 'bare', max: 3, windowMs: MINUTE };
const TIMEOUT = ENDPOINT_TIMEOUT_SECONDS * 1000;

const failed = (n: number, at = NOW - 1000, more: Partial<Attempt> = {}): Attempt[] =>
  Array.from({ length: n }, (_, index) => ({ id: `${index}`, at, from: 'here', ...more }));
const OLD = failed(1, NOW - 4 * MINUTE);
const pending = (n: number, at?: number) => failed(n, at, { pending: true });

test.each<[string, Attempt[], Admission]>([
  ['is admitted when fewer than the maximum have failed', failed(2), 'admitted'],
  ['has to wait until the oldest failure leaves the window', failed(3, NOW - 4 * MINUTE), { retryAfter: 60 }],
  ['has to wait for full seconds', failed(3, NOW - 5 * MINUTE + 1001), { retryAfter: 2 }],
  ['has to wait for at least a second', failed(3, NOW - 5 * MINUTE), { retryAfter: 1 }],
  ['has to wait for the third latest failure', [...OLD, ...failed(3, NOW - 3 * MINUTE)], { retryAfter: 120 }],
  ['waits when failures and pending attempts reach the maximum', [...failed(2), ...pending(1)], 'wait'],
  ['waits when pending attempts reach the maximum', pending(3), 'wait'],
  ['is admitted when one less is pending', pending(2), 'admitted'],
  ['is refused although more are pending', [...failed(3), ...pending(3)], { retryAfter: 299 }],
  ['waits for an attempt until its function must have ended', pending(3, NOW - TIMEOUT + 1), 'wait'],
  ['counts an attempt without an outcome as a failure then', pending(3, NOW - TIMEOUT), { retryAfter: 285 }],
])('a further attempt %s', (_title, attempts, admission) => {
  expect(admit(attempts, LIMIT, NOW)).toEqual(admission);
});

test('an attempt counts while it is in the window and later than the last clearing', () => {
  const [expired, within, cleared, after] = [NOW - 5 * MINUTE, NOW - 5 * MINUTE + 1, NOW - 10, NOW - 9];
  const all = [expired, within, cleared, after].flatMap((at) => failed(1, at));
  const counted = (clearedAt: number) => countable(all, LIMIT, NOW, clearedAt).map(({ at }) => at);
  expect(counted(0)).toEqual([within, cleared, after]);
  expect(counted(cleared)).toEqual([after]);
});

const item = { attempts: [], revision: 1 };

test.each([
  ['holds before its end', { limit: LIMIT, now: NOW - 1, clearedAt: 0, expected: true }],
  ['has ended at its end', { limit: LIMIT, now: NOW, clearedAt: 0, expected: false }],
  [
    'holds when failures were cleared before',
    { limit: LIMIT, now: NOW - 1, clearedAt: NOW - 15 * MINUTE - 1, expected: true },
  ],
  [
    'is void when failures were cleared since',
    { limit: LIMIT, now: NOW - 1, clearedAt: NOW - 15 * MINUTE, expected: false },
  ],
  [
    'is void for a limit without lockouts',
    { limit: BARE, now: NOW - 15 * MINUTE + 1, clearedAt: 0, expected: false },
  ],
])('a mark of a lockout %s', (_title, { limit, now, clearedAt, expected }) => {
  expect(isLockedOut({ ...item, locked_at: NOW - 15 * MINUTE }, limit, now, clearedAt)).toBe(expected);
});

test.each([
  ['holds before its end', { limit: LIMIT, now: NOW - 1, stamp: 'stamp', expected: true }],
  ['has ended at its end', { limit: LIMIT, now: NOW, stamp: 'stamp', expected: false }],
  [
    'is void for a limit that knows nobody',
    { limit: BARE, now: NOW - 30 * DAY_MS, stamp: 'stamp', expected: false },
  ],
  ['is void for another security stamp', { limit: LIMIT, now: NOW - 1, stamp: 'other', expected: false }],
  [
    'is void without an account and a stamp, as in earlier items',
    { limit: LIMIT, now: NOW - 1, stamp: undefined, expected: false },
  ],
])('a mark of a success %s', (_title, { limit, now, stamp, expected }) => {
  const known_stamp = stamp && 'stamp';
  expect(isKnown({ ...item, known_at: NOW - 30 * DAY_MS, known_stamp }, limit, now, stamp)).toBe(expected);
});

test('a mark is absent when the list or the mark is absent', () => {
  for (const list of [item, undefined])
    expect([isLockedOut(list, LIMIT, NOW, 0), isKnown(list, LIMIT, NOW, 'stamp')]).toEqual([false, false]);
});
