import { DAY_MS, MINUTE_MS } from '#lib/time';
import type { Minutes, Series } from './evaluation.ts';

/** The smallest event that an alarm fires for, with its minutes, and events next to it that it ignores. */
export interface Volume {
  readonly smallest: string;
  readonly fires: Minutes;
  readonly ignores: readonly Minutes[];
}

const each = (minutes: number, value: number): Series => Array<number>(minutes).fill(value);

/** One value, and one that is too low. */
const above = (smallest: string, metric: string, highest: number): Volume => ({
  smallest,
  fires: { [metric]: [highest + 1] },
  ignores: [{ [metric]: [highest] }, {}],
});

/** Periods of five minutes, each with its value in the first one. */
const fives = (...values: readonly number[]): Series => values.flatMap((value) => [value, 0, 0, 0, 0]);

/** Hours, each with its value in the first minute. */
const hours = (...values: readonly number[]): Series => values.flatMap((value) => [value, ...each(59, 0)]);

/** The volume of each alarm by its ID. */
export const VOLUMES: Readonly<Record<string, Volume>> = {
  'server-errors': {
    smallest: 'in 3 of 5 minutes: 5 answers 5xx, which are more than 1 % of the requests',
    fires: { '5xx': [5, 0, 5, 0, 5], Count: each(5, 499) },
    ignores: [
      { '5xx': each(5, 4), Count: each(5, 6) },
      { '5xx': each(5, 5), Count: each(5, 500) },
      { '5xx': [500, 500], Count: [500, 500] },
    ],
  },
  'login-unavailable': {
    smallest: 'in 15 minutes: 5 logins answered 5xx, which are more than 5 % of the logins',
    fires: { Outcomes: [5], Invocations: [99] },
    ignores: [
      { Outcomes: [4], Invocations: [4] },
      { Outcomes: [5], Invocations: [100] },
      { Outcomes: [4, ...each(14, 0), 1], Invocations: each(16, 1) },
    ],
  },
  'slow-answers': {
    smallest:
      'in each of 3 periods of 5 minutes: 25 answers after more than 3 s, more than 1 % of the requests',
    fires: { SlowAnswers: fives(25, 25, 25), Count: fives(2499, 2499, 2499) },
    ignores: [
      { SlowAnswers: fives(24, 24, 24), Count: fives(24, 24, 24) },
      { SlowAnswers: fives(25, 25, 25), Count: fives(2500, 2500, 2500) },
      { SlowAnswers: fives(25, 25, 0), Count: fives(25, 25, 25) },
    ],
  },
  'sweep-stopped': {
    smallest: '5 minutes without a sweep',
    fires: { Sweeps: [1, ...each(5, 0)] },
    ignores: [{ Sweeps: [1, ...each(4, 0), 1] }, { Sweeps: [1, undefined, undefined] }],
  },
  'probe-failed': {
    smallest: '3 minutes without a probe that succeeds; also if no function logs anything',
    fires: { Probes: [1, ...each(3, 0)] },
    ignores: [{ Probes: [1, 0, 0, 1, 0, 0] }],
  },
  'events-waiting': {
    smallest: 'for 3 minutes: an event that has waited for more than 10 minutes',
    fires: { OldestPendingEvent: each(3, 601) },
    ignores: [{ OldestPendingEvent: [601, 601, 0] }, { OldestPendingEvent: each(5, 600) }],
  },
  'erasure-key-differs': above('1 use of another erasure key', 'OtherErasureKeys', 0),
  'undelivered-events': above('1 event', 'NumberOfMessagesSent', 0),
  'events-set-aside': above('1 event', 'EventsSetAside', 0),
  'some-errors': {
    smallest: 'in an hour: 5 answers 5xx, which are more than 1 % of the requests',
    fires: { '5xx': [5], Count: [499] },
    ignores: [
      { '5xx': [4], Count: [4] },
      { '5xx': [5], Count: [500] },
      { '5xx': [4, ...each(59, 0), 1], Count: each(61, 1) },
    ],
  },
  'function-errors': above('1 request', 'FunctionErrors', 0),
  'function-throttles': above('1 request', 'FunctionThrottles', 0),
  'table-throttles': above('in 5 minutes: 11 requests to the table', 'ThrottledRequests', 10),
  'table-errors': above('in 5 minutes: 11 requests to the table', 'SystemErrors', 10),
  'dead-letters': above('1 run of a job, or 1 backup', 'NumberOfMessagesSent', 0),
  'audit-late': above('1 run of `audit.collect`', 'Errors', 0),
  'audit-silent': {
    smallest: '15 minutes without a line of the probe that is less than 5 minutes old',
    fires: { AuditHeartbeats: [1, ...each(15, 0)] },
    ignores: [{ AuditHeartbeats: [1, ...each(14, 0), 1] }, { AuditHeartbeats: each(0, 0) }],
  },
  'audit-incomplete': above('1 line', 'RefusedAuditLines', 0),
  'rotation-failed': above('1 step of the rotation', 'Errors', 0),
  'signing-key-old': above('1 day above 92', 'SigningKeyAge', 92),
  'resource-key-missing': above('1 request', 'MissingResourceKeys', 0),
  'issuer-unreachable': {
    smallest: 'in each of 3 hours: 1 failed fetch of keys',
    fires: { UnreachableIssuers: hours(1, 1, 1) },
    ignores: [{ UnreachableIssuers: hours(1, 1, 0, 1, 1) }, { UnreachableIssuers: hours(50, 0, 0) }],
  },
  'failed-logins': above('in 5 minutes: 101 refused logins', 'FailedLogins', 100),
  lockouts: above('1 account', 'Lockouts', 0),
};

const DAY_MINUTES = DAY_MS / MINUTE_MS;

/** Users of each month, who log in ten times and send a hundred other requests each, as in infra/cost. */
export const MONTHS = { quiet: 200, busy: 100_000 } as const;
const DAYS = 30;
/** Users come from 8 to 18 o'clock, on five days of seven. */
const isWorkTime = (minute: number) => {
  const hour = (minute % DAY_MINUTES) / 60;
  return Math.floor(minute / DAY_MINUTES) % 7 < 5 && hour >= 8 && hour < 18;
};
const WORK_MINUTES = Array.from({ length: DAYS * DAY_MINUTES }, (_, minute) => minute).filter(
  isWorkTime,
).length;

/** Shares of requests or logins: each is one of so many. */
export const ONE_OF = { serverError: 20_000, slow: 2000, failedLogin: 20, lockout: 10_000 } as const;

/** The client that fails in the night of the third day: its request is answered 5xx, late, and attempted three times. */
const CLIENT = { day: 2, hours: [1, 3, 5], minutes: 20, attempts: 3 } as const;

const isFailing = (minute: number) => {
  const ofDay = minute - CLIENT.day * DAY_MINUTES;
  return CLIENT.hours.some((hour) => ofDay >= hour * 60 && ofDay < hour * 60 + CLIENT.minutes);
};

/** A generator of numbers from 0 to 1, always the same ones (mulberry32). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A number of independent events with a mean (Poisson): a sum of parts, since the product of one becomes 0. */
function eventsOf(random: () => number, mean: number): number {
  if (mean > 100) return eventsOf(random, 100) + eventsOf(random, mean - 100);
  let count = 0;
  for (let product = random(); product > Math.exp(-mean); product *= random()) count++;
  return count;
}

/** The minutes of a month without a fault of the service, with its two probe requests a minute and one failing client. */
export function monthOf(users: number): Minutes {
  const random = generator(users);
  const all = Array.from({ length: DAYS * DAY_MINUTES }, (_, minute) => {
    const share = isWorkTime(minute) ? users / WORK_MINUTES : 0;
    const logins = eventsOf(random, 10 * share);
    const requests = logins + eventsOf(random, 100 * share);
    const attempts = isFailing(minute) ? CLIENT.attempts : 0;
    return {
      Count: 2 + requests + attempts,
      '5xx': eventsOf(random, requests / ONE_OF.serverError) + attempts,
      SlowAnswers: eventsOf(random, requests / ONE_OF.slow) + attempts,
      Invocations: 1 + logins,
      Outcomes: eventsOf(random, logins / ONE_OF.serverError),
      FailedLogins: 1 + eventsOf(random, logins / ONE_OF.failedLogin),
      Lockouts: eventsOf(random, logins / ONE_OF.lockout),
      ...{ Probes: 1, Sweeps: 1, AuditHeartbeats: 1, OldestPendingEvent: 0, EventsSetAside: 0 },
      SigningKeyAge: Math.floor(minute / DAY_MINUTES),
    };
  });
  const names = Object.keys(all[0] ?? {}) as (keyof (typeof all)[number])[];
  return Object.fromEntries(names.map((name) => [name, all.map((minute) => minute[name])]));
}
