import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Attempt, LoginAttempts } from '#lib/item/login-attempts';
import { type Limit, PER_ADDRESS, PER_PAIR } from '#lib/login/attempts';
import { type AttemptList, type Reservation, reserve as reserveIn } from '#lib/login/reservation';
import { attemptsOfPairKey, type Key } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { put } from '#lib/table/write';
import { NOON, openTestTable } from '../support/engine.ts';
import { PATIENT } from './bench.ts';

const { table, wire, clock, runtime, operations } = await openTestTable();
const MINUTE = 60_000;
/** As long as an endpoint may take. */
const TIMEOUT = 15_000;

let names = 0;
let key: Key<LoginAttempts>;
beforeEach(() => {
  names += 1;
  key = attemptsOfPairKey(`name-${names}`, 'here');
});

const random = (bytes: number) => new Uint8Array(bytes).fill(1);
const MINE = { id: 'AQEBAQEB', at: NOON, from: 'here' };
const attempts = (n: number, each: Partial<Attempt> = {}): Attempt[] =>
  Array.from({ length: n }, (_, index) => ({ id: `${index}`, at: NOON - 1000, from: 'here', ...each }));

const stored = () => get(table, key);
const list = (item?: LoginAttempts, clearedAt = 0, limit: Limit = PER_PAIR): AttemptList => ({
  key,
  item,
  clearedAt,
  limit,
});
const reserve = async (from: AttemptList) =>
  (await reserveIn({ ...runtime, random }, from, 'here', clock() + 8000)) as Reservation;

/** The list holds these attempts. */
async function given(all: readonly Attempt[], clearedAt = 0, limit = PER_PAIR): Promise<AttemptList> {
  const item = { attempts: all, revision: 7, ttl: 0 };
  await put(table, key, item);
  wire.reset();
  return list(item, clearedAt, limit);
}

const puts = () => operations().filter((operation) => operation === 'PutItem').length;

describe('a reservation', () => {
  test('is an attempt of 6 random bytes in the list, whose password is being verified', async () => {
    clock.time = NOON + 1;
    await reserve(list());
    expect(await stored()).toEqual({
      ...key,
      attempts: [{ ...MINE, at: NOON + 1, pending: true }],
      revision: 1,
      ttl: NOON / 1000 + 5 * 60 + 1,
    });
    expect(operations()).toEqual(['PutItem', 'GetItem']);
  });

  test('is added to the attempts that count, and leaves none behind that counts no more', async () => {
    const [old, kept] = [attempts(1, { at: NOON - 5 * MINUTE }), attempts(1, { from: 'there' })];
    await reserve(await given([...old, ...kept]));
    expect(await stored()).toMatchObject({ attempts: [...kept, { ...MINE, pending: true }], revision: 8 });
  });

  test('does not count what was before failures were cleared', async () => {
    await reserve(await given(attempts(5), NOON - 1000));
    expect((await stored())?.attempts).toEqual([{ ...MINE, pending: true }]);
  });

  test('is refused after five failures, and then neither written nor waited for', async () => {
    const full = await given(attempts(5));
    await expect(reserve(full)).rejects.toMatchObject({ code: 'too_many_requests', retryAfter: 299 });
    expect(operations()).toEqual([]);
  });

  test('counts an attempt of a function that has ended without an outcome as a failure', async () => {
    const abandoned = await given(attempts(5, { pending: true, at: NOON - TIMEOUT }));
    await expect(reserve(abandoned)).rejects.toMatchObject({ code: 'too_many_requests', retryAfter: 285 });
  });

  test('does not lose what others have written since the list was read', async () => {
    const before = list();
    const other = attempts(1, { from: 'there' });
    await given(other);
    await reserve(before);
    expect(await stored()).toMatchObject({ attempts: [...other, { ...MINE, pending: true }], revision: 8 });
    expect(operations().slice(0, -1)).toEqual(['PutItem', 'PutItem']);
  });

  test('is refused where others have taken the last place since the list was read', async () => {
    const before = list();
    await given(attempts(5));
    await expect(reserve(before)).rejects.toMatchObject({ code: 'too_many_requests' });
    expect(await stored()).toMatchObject({ revision: 7 });
  });

  test('is made once, though the answer to its write is lost', async () => {
    let lost = false;
    wire.script((operation) => {
      if (operation !== 'PutItem' || lost) return undefined;
      lost = true;
      return 'lose';
    });
    const reservation = await reserve(list());
    expect(puts()).toBe(2);
    expect(await stored()).toMatchObject({ attempts: [{ ...MINE, pending: true }], revision: 1 });
    expect(await reservation.fail()).toBe(false);
    expect(await stored()).toMatchObject({ attempts: [MINE], revision: 2 });
  });
});

describe('while all places are taken, an attempt', () => {
  const VERIFYING = attempts(5, { pending: true, at: NOON });

  test('waits until another ends', async () => {
    const reserved = reserve(await given(VERIFYING));
    await vi.waitUntil(() => operations().length > 1, PATIENT);
    expect(puts()).toBe(0);
    await put(table, key, { attempts: VERIFYING.slice(1), revision: 8 });
    await reserved;
    expect((await stored())?.attempts).toEqual([...VERIFYING.slice(1), { ...MINE, pending: true }]);
  });

  test('begins when its place is free', async () => {
    const reserved = reserve(await given(VERIFYING));
    await vi.waitUntil(() => operations().length > 0, PATIENT);
    clock.time = NOON + 4000;
    await put(table, key, { attempts: [], revision: 8 });
    await reserved;
    expect((await stored())?.attempts).toEqual([{ ...MINE, at: NOON + 4000, pending: true }]);
  });

  test('is refused at once when they have all failed', async () => {
    const reserved = reserve(await given(VERIFYING));
    const refused = expect(reserved).rejects.toMatchObject({ code: 'too_many_requests', retryAfter: 300 });
    await vi.waitUntil(() => operations().length > 0, PATIENT);
    await put(table, key, { attempts: attempts(5, { at: NOON }), revision: 8 });
    await refused;
  });

  test('waits until its deadline, and is refused then', async () => {
    const times = [NOON + 7999, NOON + 8000, NOON + 8001];
    const full = await given(VERIFYING);
    wire.script(() => {
      clock.time = times.shift() as number;
      return undefined;
    });
    await expect(reserve(full)).rejects.toMatchObject({ code: 'too_many_requests', retryAfter: 1 });
    expect(operations()).toEqual(['GetItem', 'GetItem', 'GetItem']);
  });

  test('is refused after its deadline, though a place is free then', async () => {
    const full = await given(VERIFYING);
    await put(table, key, { attempts: [], revision: 8 });
    wire.script(() => {
      clock.time = NOON + 8001;
      return undefined;
    });
    await expect(reserve(full)).rejects.toMatchObject({ code: 'too_many_requests', retryAfter: 1 });
    expect(await stored()).toMatchObject({ attempts: [] });
  });

  test('says that it had to wait', async () => {
    const free = await reserve(await given(VERIFYING.slice(1)));
    const reserved = reserve(await given(VERIFYING));
    await vi.waitUntil(() => operations().length > 0, PATIENT);
    await put(table, key, { attempts: [], revision: 8 });
    expect([free.waited, (await reserved).waited]).toEqual([false, true]);
  });
});

describe('a failure', () => {
  test('keeps the place', async () => {
    const other = attempts(1, { from: 'there' });
    const reservation = await reserve(await given(other));
    clock.time = NOON + 1000;
    expect(await reservation.fail()).toBe(false);
    expect(await stored()).toEqual({
      ...key,
      attempts: [...other, MINE],
      revision: 9,
      ttl: NOON / 1000 + 5 * 60 + 1,
    });
  });

  test('leaves out what counts no more by then', async () => {
    const old = attempts(1, { at: NOON - 5 * MINUTE + 1 });
    const reservation = await reserve(await given(old));
    clock.time = NOON + 1;
    await reservation.fail();
    expect((await stored())?.attempts).toEqual([MINE]);
  });

  test('loses nothing that others have written meanwhile', async () => {
    const reservation = await reserve(list());
    const other = attempts(1, { from: 'there' });
    await put(table, key, { attempts: [{ ...MINE, pending: true }, ...other], revision: 5 });
    await reservation.fail();
    expect(await stored()).toMatchObject({ attempts: [MINE, ...other], revision: 6 });
  });

  test.each([
    [PER_PAIR.max - 1, true],
    [PER_PAIR.max, false],
  ])('is written though %i others were quicker: %s', async (others, written) => {
    const reservation = await reserve(list());
    wire.reset();
    const Item = {
      attempts: { L: [] },
      revision: { N: '1' },
    };
    wire.script((operation) =>
      operation === 'PutItem' && puts() <= others
        ? { status: 400, body: { __type: 'x#ConditionalCheckFailedException', Item } }
        : undefined,
    );
    const failed = reservation.fail();
    if (written) expect(await failed).toBe(false);
    else await expect(failed).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('a success', () => {
  test('gives up the place, and the failures from the same address with it', async () => {
    const reservation = await reserve(await given(attempts(4)));
    await reservation.succeed();
    expect(await stored()).toEqual({
      ...key,
      attempts: [],
      revision: 9,
      known_at: NOON,
      ttl: NOON / 1000 + 30 * 86_400,
    });
  });

  test('leaves failures from other addresses, and what is being verified', async () => {
    const kept = [
      ...attempts(1, { id: 'there', from: 'there' }),
      ...attempts(1, { id: 'now', pending: true, at: NOON - TIMEOUT + 1 }),
    ];
    const abandoned = attempts(1, { id: 'abandoned', pending: true, at: NOON - TIMEOUT });
    const reservation = await reserve(await given([...kept, ...abandoned]));
    await reservation.succeed();
    expect((await stored())?.attempts).toEqual(kept);
  });

  test('loses nothing that others have written meanwhile', async () => {
    const reservation = await reserve(list());
    const other = attempts(1, { from: 'there' });
    await put(table, key, { attempts: [{ ...MINE, pending: true }, ...other], revision: 5 });
    await reservation.succeed();
    expect(await stored()).toMatchObject({ attempts: other, revision: 6 });
  });

  test('is no more than that where its attempt counts no more', async () => {
    const reservation = await reserve(list());
    clock.time = NOON + 5 * MINUTE;
    await reservation.succeed();
    expect((await stored())?.attempts).toEqual([]);
  });
});

describe('a release', () => {
  test('gives up the place and nothing else', async () => {
    const others = attempts(2);
    const reservation = await reserve(await given(others, 0, PER_ADDRESS));
    await reservation.release();
    const { known_at, attempts: left } = (await stored()) as LoginAttempts;
    expect([known_at, left]).toEqual([undefined, others]);
  });
});

test('what is known of a pair outlives its attempts', async () => {
  const known = { attempts: [], revision: 1, known_at: NOON - MINUTE };
  await put(table, key, known);
  const reservation = await reserve(list(known));
  await reservation.fail();
  expect(await stored()).toMatchObject({ attempts: [MINE], known_at: NOON - MINUTE });
  expect((await stored()) as { ttl?: number }).toMatchObject({ ttl: NOON / 1000 - 60 + 30 * 86_400 });
});
