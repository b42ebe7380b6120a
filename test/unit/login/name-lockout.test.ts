import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Attempt, LoginAttempts } from '#lib/item/login-attempts';
import { type Limit, PER_ADDRESS, PER_NAME } from '#lib/login/attempts';
import { type Reservation, reserve as reserveIn } from '#lib/login/reservation';
import { attemptsOnNameKey, type Key } from '#lib/table/keys';
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
  key = attemptsOnNameKey(`name-${names}`);
});

const stored = () => get(table, key);
const list = (item: LoginAttempts, clearedAt: number, limit: Limit) => ({ key, item, clearedAt, limit });
const reserve = async (of: ReturnType<typeof list>) =>
  (await reserveIn(runtime, of, 'here', clock() + 8000)) as Reservation;

/** The list holds these attempts. */
async function given(all: readonly Attempt[], clearedAt: number, limit: Limit) {
  const item = { attempts: all, revision: 7 };
  await put(table, key, item);
  wire.reset();
  return list(item, clearedAt, limit);
}

describe('of a name, the fiftieth failure', () => {
  const all = Array.from({ length: 49 }, (_, n) => ({ id: `${n}`, at: NOON - 1000, from: `${n}` }));
  const LOCKED = { attempts: [], locked_at: NOON, ttl: NOON / 1000 + 15 * 60 };

  test('locks it, and the count begins anew', async () => {
    const reservation = await reserve(await given(all, 0, PER_NAME));
    expect(await reservation.fail()).toBe(true);
    expect(await stored()).toMatchObject(LOCKED);
  });

  test('does not lock an address', async () => {
    const reservation = await reserve(await given(all, 0, PER_ADDRESS));
    expect(await reservation.fail()).toBe(false);
    expect((await stored())?.attempts).toHaveLength(50);
  });

  test('locks it at the next attempt, where its function has ended without an outcome', async () => {
    const abandoned = { id: 'last', at: NOON - TIMEOUT, from: 'x', pending: true as const };
    expect(await reserve(await given([...all, abandoned], 0, PER_NAME))).toBeUndefined();
    expect(await stored()).toMatchObject(LOCKED);
  });

  test('is waited for', async () => {
    const last = { id: 'last', at: NOON, from: 'x', pending: true as const };
    const reserved = reserve(await given([...all, last], 0, PER_NAME));
    await vi.waitUntil(() => operations().length > 0, PATIENT);
    await put(table, key, { attempts: [], revision: 8, locked_at: NOON });
    expect(await reserved).toBeUndefined();
  });

  test('counts no attempt more until the lockout ends or is cleared', async () => {
    const locked = { attempts: [], revision: 1, locked_at: NOON - 15 * MINUTE + 1 };
    expect(await reserve(list(locked, 0, PER_NAME))).toBeUndefined();
    expect(operations()).toEqual([]);
    await put(table, key, locked);
    expect(await reserve(list(locked, locked.locked_at, PER_NAME))).toBeDefined();
    clock.time = NOON + 1;
    expect(await reserve(list((await stored()) as LoginAttempts, 0, PER_NAME))).toBeDefined();
  });
});
