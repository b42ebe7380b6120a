import { beforeEach, expect, test } from 'vitest';
import { ENDPOINT_TIMEOUT_SECONDS } from '#lib/contract/contract';
import type { Attempt, LoginAttempts } from '#lib/item/login-attempts';
import type { AttemptLimit } from '#lib/login/attempts';
import { type AttemptList, type Reservation, reserve as reserveIn } from '#lib/login/reservation';
import { attemptsOfPairKey, type Key } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { put } from '#lib/table/write';
import { NOON, openTestTable } from '../support/engine.ts';
import { failing } from '../table/inputs.ts';
import { MINUTE } from './bench.ts';

const { table, wire, clock, runtime, operations } = await openTestTable();

const LIMIT: AttemptLimit = { name: 'test', max: 3, windowMs: 5 * MINUTE };
const REMEMBERS: AttemptLimit = { ...LIMIT, knownMs: 60 * MINUTE };
const LOCKS: AttemptLimit = { ...LIMIT, lockoutMs: 15 * MINUTE };
const TIMEOUT = ENDPOINT_TIMEOUT_SECONDS * 1000;
/** The time to live of an item that ends so many milliseconds after noon. */
const ttl = (ms: number) => (NOON + ms) / 1000;

let names = 0;
let key: Key<LoginAttempts>;
beforeEach(() => {
  names += 1;
  key = attemptsOfPairKey(`name-${names}`, 'here');
});

/** The attempt of each test, as it has failed. */
const MINE = { id: 'AQEBAQEB', at: NOON, from: 'here' };
const PENDING = { ...MINE, pending: true } as const;
const attempts = (n: number, each: Partial<Attempt> = {}): Attempt[] =>
  Array.from({ length: n }, (_, index) => ({ id: `${index}`, at: NOON - 1000, from: 'here', ...each }));
const OTHER = attempts(1, { from: 'there' });
const VERIFYING = attempts(LIMIT.max, { pending: true, at: NOON });
const TOO_SOON = { code: 'too_many_requests' };

const stored = () => get(table, key);
const list = (item?: LoginAttempts, limit = LIMIT, clearedAt = 0): AttemptList => ({
  key,
  item,
  clearedAt,
  limit,
});
/** Reserves a place; waits for 8 seconds at most. */
const reserve = async (from: AttemptList) =>
  (await reserveIn(
    { ...runtime, random: (bytes) => new Uint8Array(bytes).fill(1) },
    from,
    'here',
    clock() + 8000,
  )) as Reservation;

/** Stores a list with these attempts. */
async function given(all: readonly Attempt[], limit = LIMIT, clearedAt = 0): Promise<AttemptList> {
  const item = { attempts: all, revision: 7, ttl: 0 };
  await put(table, key, item);
  wire.reset();
  return list(item, limit, clearedAt);
}
/** Others replace the attempts while a reservation waits. */
async function replaced(all: readonly Attempt[], more: Partial<LoginAttempts> = {}) {
  await expect.poll(operations).toContain('GetItem');
  await put(table, key, { attempts: all, revision: 8, ...more });
}
const puts = () => operations().filter((operation) => operation === 'PutItem').length;

test('a reservation adds a pending attempt with 6 random bytes as its id', async () => {
  clock.time = NOON + 1;
  await reserve(list());
  const attempts = [{ ...PENDING, at: NOON + 1 }];
  expect(await stored()).toEqual({ ...key, attempts, revision: 1, ttl: ttl(5 * MINUTE) + 1 });
  expect(operations()).toEqual(['PutItem', 'GetItem']);
});

test('a reservation keeps the attempts that count', async () => {
  await reserve(await given([...OTHER, ...attempts(1, { at: NOON - 5 * MINUTE })]));
  expect(await stored()).toMatchObject({ attempts: [...OTHER, PENDING], revision: 8 });
});

test('a reservation takes one place when the answer to its write is lost', async () => {
  wire.script(failing('lose', 1));
  const reservation = await reserve(list());
  expect([puts(), reservation.waited]).toEqual([2, false]);
  expect(await stored()).toMatchObject({ attempts: [PENDING], revision: 1 });
  expect(await reservation.fail()).toBe(false);
  expect(await stored()).toMatchObject({ attempts: [MINE], revision: 2 });
});

test('a failure locks although the answer to its write is lost', async () => {
  const reservation = await reserve(await given(attempts(LIMIT.max - 1), LOCKS));
  wire.script(failing('lose', 1));
  const failed = reservation.fail();
  clock.time = NOON + 1;
  expect(await failed).toBe(true);
  expect(await stored()).toMatchObject({ attempts: [], locked_at: NOON });
});

test('a failure does not lock when a success has cleared the others meanwhile', async () => {
  const reservation = await reserve(await given(attempts(LIMIT.max - 1), LOCKS));
  wire.before('PutItem', () => put(table, key, { attempts: [PENDING], revision: 9 }));
  expect(await reservation.fail()).toBe(false);
  expect(await stored()).toMatchObject({ attempts: [MINE], revision: 10 });
});

test('a reservation without a free place waits until another attempt ends, and reports that it has waited', async () => {
  const reserved = reserve(await given(VERIFYING));
  await expect.poll(() => operations().length).toBeGreaterThan(1);
  expect(puts()).toBe(0);
  clock.time = NOON + 4000;
  await replaced(VERIFYING.slice(1));
  expect((await reserved).waited).toBe(true);
  const mine = { ...PENDING, at: NOON + 4000 };
  expect((await stored())?.attempts).toEqual([...VERIFYING.slice(1), mine]);
});

test('a reservation without a free place is refused at once when the others have failed', async () => {
  const refused = expect(reserve(await given(VERIFYING))).rejects.toMatchObject({
    ...TOO_SOON,
    retryAfter: 300,
  });
  await replaced(attempts(LIMIT.max, { at: NOON }));
  await refused;
});

test.each<[string, times: number[], Attempt[]]>([
  ['waits until its deadline', [7999, 8000, 8001], VERIFYING],
  ['is refused after its deadline although a place is free then', [8001], []],
])('a reservation without a free place %s', async (_title, times, meanwhile) => {
  const full = await given(VERIFYING);
  await put(table, key, { attempts: meanwhile, revision: 8 });
  wire.reset();
  const reads = times.map(() => 'GetItem');
  wire.script(() => {
    clock.time = NOON + (times.shift() as number);
    return undefined;
  });
  await expect(reserve(full)).rejects.toMatchObject({ ...TOO_SOON, retryAfter: 1 });
  expect(operations()).toEqual(reads);
});

const abandoned = attempts(1, { id: 'abandoned', pending: true, at: NOON - TIMEOUT });
const now = attempts(1, { id: 'now', pending: true, at: NOON - TIMEOUT + 1 });

test.each<
  [
    'fail' | 'succeed' | 'release',
    string,
    { limit: AttemptLimit; before: Attempt[]; after: Attempt[]; known_at: number | undefined },
  ]
>([
  ['fail', 'keeps the place', { limit: LIMIT, before: OTHER, after: [...OTHER, MINE], known_at: undefined }],
  ['succeed', 'gives up the place', { limit: LIMIT, before: [], after: [], known_at: undefined }],
  [
    'succeed',
    'is remembered by the limit',
    { limit: REMEMBERS, before: OTHER, after: OTHER, known_at: NOON },
  ],
  [
    'succeed',
    'clears failures from the same address',
    { limit: REMEMBERS, before: attempts(2), after: [], known_at: NOON },
  ],
  [
    'succeed',
    'clears timed-out attempts only',
    { limit: LIMIT, before: [...now, ...abandoned], after: now, known_at: undefined },
  ],
  [
    'release',
    'gives up the place and clears no failure',
    { limit: REMEMBERS, before: attempts(2), after: attempts(2), known_at: undefined },
  ],
])('%s %s', async (outcome, _title, { limit, before, after, known_at }) => {
  const reservation = await reserve(await given(before, limit));
  await reservation[outcome]();
  const { ttl: end, ...item } = (await stored()) as LoginAttempts & { ttl: number };
  expect(item).toEqual({ ...key, attempts: after, revision: 9, ...(known_at ? { known_at } : {}) });
  expect(end).toBe(ttl(known_at ? 60 * MINUTE : 5 * MINUTE));
});

test.each([
  ['fail', [MINE, ...OTHER]],
  ['succeed', OTHER],
] as const)('%s keeps what others have written meanwhile', async (outcome, after) => {
  const reservation = await reserve(list());
  await put(table, key, { attempts: [PENDING, ...OTHER], revision: 5 });
  await reservation[outcome]();
  expect(await stored()).toMatchObject({ attempts: after, revision: 6 });
});

test('fail drops what has left the window and prolongs the time to live', async () => {
  const old = attempts(1, { at: NOON - 5 * MINUTE + 1 });
  const reservation = await reserve(await given(old));
  clock.time = NOON + 1000;
  expect(await reservation.fail()).toBe(false);
  expect(await stored()).toMatchObject({ attempts: [MINE], ttl: ttl(5 * MINUTE) + 1 });
});

test.each([
  [2 * (LIMIT.max - 1), true],
  [2 * LIMIT.max - 1, false],
])('an outcome is written after %i others were faster: %s', async (others, written) => {
  const reservation = await reserve(list());
  wire.reset();
  const Item = { attempts: { L: [] }, revision: { N: '1' } };
  wire.script((operation) =>
    operation === 'PutItem' && puts() <= others
      ? { status: 400, body: { __type: 'x#ConditionalCheckFailedException', Item } }
      : undefined,
  );
  const failed = reservation.fail();
  if (written) expect(await failed).toBe(false);
  else await expect(failed).rejects.toMatchObject({ code: 'unavailable' });
});

test('an outcome keeps the mark of an earlier success, and its time to live', async () => {
  const known = { attempts: [], revision: 1, known_at: NOON - MINUTE, known_stamp: 's' };
  await put(table, key, known);
  await (await reserve(list(known, REMEMBERS))).fail();
  const expected = { attempts: [MINE], known_at: NOON - MINUTE, known_stamp: 's', ttl: ttl(59 * MINUTE) };
  expect(await stored()).toMatchObject(expected);
});

const before = attempts(LIMIT.max - 1);
const LOCKED = { attempts: [], locked_at: NOON };

test.each<[string, AttemptLimit, boolean, object]>([
  ['locks', LOCKS, true, { ...LOCKED, ttl: ttl(15 * MINUTE) }],
  ['does not lock without a lockout in the limit', LIMIT, false, { attempts: [...before, MINE] }],
])('the last failure %s', async (_title, limit, locks, after) => {
  expect(await (await reserve(await given(before, limit))).fail()).toBe(locks);
  expect(await stored()).toMatchObject(after);
});

test('the last failure locks at the next attempt when its function has timed out', async () => {
  const abandoned = attempts(1, { pending: true, at: NOON - TIMEOUT });
  expect(await reserve(await given([...before, ...abandoned], LOCKS))).toBeUndefined();
  expect(await stored()).toMatchObject(LOCKED);
});

test('the last failure locks an attempt that waits for it', async () => {
  const reserved = reserve(await given([...before, ...VERIFYING.slice(-1)], LOCKS));
  await replaced([], { locked_at: NOON });
  expect(await reserved).toBeUndefined();
});

test('a lockout counts no attempt until it ends or is cleared', async () => {
  const locked = { attempts: [], revision: 1, locked_at: NOON - 15 * MINUTE + 1 };
  expect(await reserve(list(locked, LOCKS))).toBeUndefined();
  expect(operations()).toEqual([]);
  await put(table, key, locked);
  expect(await reserve(list(locked, LOCKS, locked.locked_at))).toBeDefined();
  clock.time = NOON + 1;
  expect(await reserve(list(await stored(), LOCKS))).toBeDefined();
});
