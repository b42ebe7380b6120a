import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../failure.ts';
import type { Runtime } from '../runtime.ts';
import { expecting } from '../table/expressions.ts';
import type { Key } from '../table/keys.ts';
import { optimistically } from '../table/optimistic.ts';
import { get } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { put, Refusal } from '../table/write.ts';
import { admit, FROM_ANYWHERE, hasFailed, remembered, type Try } from './tries.ts';

/** The tries of one username, oldest first. */
export interface TriesItem {
  readonly tries: readonly Try[];
  /** Changes with every write, so that nobody overwrites another's. */
  readonly revision: number;
}

/** Where a try stands, and what counts beside it. */
export interface Trying {
  /** Of the item with the tries ... */
  readonly key: Key;
  /** ... and that item as read last. */
  readonly item: TriesItem | undefined;
  readonly address: string;
  /** Tries at or before this time count no more. */
  readonly clearedAt: number;
}

/** A try that has its place among those that may fail. */
export interface TryReservation {
  /** Keeps the place, as a failure; resolves to all tries that count. */
  fail(): Promise<readonly Try[]>;
  /** Gives up the place, and the failures from the same address with it. */
  succeed(): Promise<void>;
}

/** A try waits this long for others to end. */
const WAIT_MS = 8000;
const POLL_MS = 50;

/**
 * Reserves a place for a try before its password is verified.
 *
 * @throws Failure `too_many_requests`; such a try does not count
 */
export async function reserveTry(runtime: Runtime, trying: Trying): Promise<TryReservation> {
  const { table, now, random } = runtime;
  const { key, address, clearedAt } = trying;
  const id = Buffer.from(random(6)).toString('base64url');
  const deadline = now() + WAIT_MS;
  for (let known = trying.item; ; ) {
    const time = now();
    const tries = remembered(known?.tries ?? [], time, clearedAt);
    const admission = admit(tries, address, time);
    if (typeof admission === 'object') throw new Failure('too_many_requests', admission);
    if (time > deadline) throw new Failure('too_many_requests', { retryAfter: 1 });
    if (admission === 'wait') {
      await sleep(POLL_MS + Math.random() * POLL_MS);
      known = await get<TriesItem>(table, key);
      continue;
    }
    const mine: Try = { id, at: time, from: address, pending: true };
    const written = await write(table, key, known, [...tries, mine], time);
    known = written instanceof Refusal ? (written.item as TriesItem | undefined) : written;
    // A write whose answer was lost is sent again, and refused by what it has done itself.
    if (known?.tries.some((one) => one.id === id)) return reservation(runtime, trying, known, mine);
  }
}

/** Replaces the tries, unless somebody else has done so since they were read. */
async function write(
  table: Table,
  key: Key,
  known: TriesItem | undefined,
  tries: readonly Try[],
  now: number,
): Promise<TriesItem | Refusal> {
  const item: TriesItem = { tries, revision: (known?.revision ?? 0) + 1 };
  const ttl = Math.ceil((now + FROM_ANYWHERE.windowMs) / 1000);
  const refusal = await put(table, {
    Item: { ...key, ...item, ttl },
    ...expecting({ revision: known?.revision }),
  });
  return refusal ?? item;
}

function reservation(
  { table, now }: Runtime,
  { key, clearedAt }: Trying,
  item: TriesItem,
  mine: Try,
): TryReservation {
  const settle = (change: (tries: readonly Try[]) => readonly Try[]) =>
    optimistically<TriesItem | undefined, readonly Try[]>(
      item,
      async (known) => {
        const tries = change(remembered(known?.tries ?? [], now(), clearedAt));
        const written = await write(table, key, known, tries, now());
        return written instanceof Refusal ? written : tries;
      },
      FROM_ANYWHERE.max,
    );

  return {
    fail() {
      const { pending: _, ...failed } = mine;
      return settle((tries) => tries.map((one) => (one.id === mine.id ? failed : one)));
    },
    async succeed() {
      await settle((tries) =>
        tries.filter((one) => one.id !== mine.id && (one.from !== mine.from || !hasFailed(now())(one))),
      );
    },
  };
}
