import { type Range, SHARDS, sortKeyOf } from './keys.ts';
import { readPage, type Start } from './read.ts';
import type { Table } from './table.ts';

interface Shard<Item> {
  /** Items that were read; `position` is the first that was not taken. */
  held: Item[];
  position: number;
  isOver: boolean;
  readonly readOn: (limit: number) => Promise<void>;
}

/** Items in order; taking them reads them. */
export interface Merged<Item> {
  /**
   * Takes the next item. When a partition is used up, all partitions with less than their share are read in parallel.
   *
   * @param wanted number of items that will be taken, including this one
   */
  next(wanted: number): Promise<Item | undefined>;
  /** Whether no item is left; reads only if no partition holds an item. */
  isOver(): Promise<boolean>;
}

/**
 * Number of items to request from each partition: the mean and three standard deviations, since a hash spreads unevenly.
 * Then fewer than 1 of 100 pages need a second read. A single partition returns all wanted items, and one more that shows
 * whether any is left.
 */
export function shareOf(wanted: number, partitions = SHARDS): number {
  if (partitions === 1) return wanted + 1;
  const mean = wanted / partitions;
  return Math.ceil(mean + 3 * Math.sqrt(mean)) + 1;
}

interface Merging<Item> {
  /** Number of items to request from each range. */
  readonly share?: (wanted: number, partitions?: number) => number;
  /** Reads a page of a range. */
  readonly read?: typeof readPage<Item>;
}

/** The share of ranges that have nothing in common: one of them may have all items. */
export const whole = (wanted: number) => wanted + 1;

/** Merges ranges of the same order, by default of items that a hash spreads; reads them when the first item is requested. */
export function merge<Item>(
  table: Table,
  ranges: readonly Range<Item>[],
  { share: shareFor = shareOf, read = readPage }: Merging<Item> = {},
): Merged<Item> {
  const [{ index, descending = false } = {}] = ranges;
  const sortKey = sortKeyOf({ index });
  const shards = ranges.map((range) => {
    let start: Start;
    const shard: Shard<Item> = {
      held: [],
      position: 0,
      isOver: false,
      async readOn(limit) {
        const { items, next } = await read(table, range, limit, start);
        shard.held = [...shard.held.slice(shard.position), ...items];
        shard.position = 0;
        shard.isOver = next === undefined;
        start = next;
      },
    };
    return shard;
  });

  /** One round trip. */
  const readOn = (wanted: number) => {
    const share = shareFor(wanted, shards.length);
    return Promise.all(
      shards.map((shard) => {
        const missing = share - (shard.held.length - shard.position);
        return shard.isOver || missing <= 0 ? undefined : shard.readOn(missing);
      }),
    );
  };
  const isUsedUp = ({ held, position }: Shard<Item>) => position === held.length;

  return {
    async next(wanted) {
      while (shards.some((shard) => !shard.isOver && isUsedUp(shard))) await readOn(wanted);
      const shard = first(sortKey, shards, descending);
      return shard?.held[shard.position++];
    },
    async isOver() {
      while (shards.every(isUsedUp) && !shards.every(({ isOver }) => isOver)) await readOn(1);
      return shards.every(isUsedUp);
    },
  };
}

/** The shard with the first of the next items. */
function first<Item>(sortKey: string, shards: readonly Shard<Item>[], descending: boolean) {
  let best: { readonly shard: Shard<Item>; readonly position: string } | undefined;
  for (const shard of shards) {
    const position = (shard.held[shard.position] as Record<string, string> | undefined)?.[sortKey];
    if (position === undefined) continue;
    const isBefore = best === undefined || (descending ? position > best.position : position < best.position);
    if (isBefore) best = { shard, position };
  }
  return best?.shard;
}

/** One after the other. */
export function chain<Item>(all: Iterable<Merged<Item>>): Merged<Item> {
  const rest = all[Symbol.iterator]();
  let current: Merged<Item> | undefined = rest.next().value;
  return {
    async next(wanted) {
      for (; current; current = rest.next().value) {
        const item = await current.next(wanted);
        if (item !== undefined) return item;
      }
      return undefined;
    },
    async isOver() {
      for (; current; current = rest.next().value) if (!(await current.isOver())) return false;
      return true;
    },
  };
}
