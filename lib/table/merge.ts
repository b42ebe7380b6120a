import { type Listing, listingRanges, SHARDS, sortKeyOf } from './keys.ts';
import { readPage, type Start } from './read.ts';
import type { Table } from './table.ts';

/** A partition of a listing, read in part. */
interface Shard<Item> {
  /** Items that were read; `position` is the first that was not taken. */
  held: Item[];
  position: number;
  isOver: boolean;
  readonly readOn: (limit: number) => Promise<void>;
}

/** The items of all partitions of a listing, in the order of the listing. */
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
 * Fewer than one page of 100 then needs a second read.
 */
export function shareOf(wanted: number): number {
  const mean = wanted / SHARDS;
  return Math.ceil(mean + 3 * Math.sqrt(mean)) + 1;
}

/**
 * Merges the partitions of a listing; reads them when the first item is requested.
 *
 * @param after sort key after which the listing begins
 */
export function merge<Item>(table: Table, listing: Listing<Item>, after: string | undefined): Merged<Item> {
  const shards = listingRanges(listing, after).map((range) => {
    let start: Start;
    const shard: Shard<Item> = {
      held: [],
      position: 0,
      isOver: false,
      async readOn(limit) {
        const { items, next } = await readPage(table, range, limit, start);
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
    const share = shareOf(wanted);
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
      const shard = first(sortKeyOf(listing), shards);
      return shard?.held[shard.position++];
    },
    async isOver() {
      while (shards.every(isUsedUp) && !shards.every(({ isOver }) => isOver)) await readOn(1);
      return shards.every(isUsedUp);
    },
  };
}

/** The shard with the lowest next item. */
function first<Item>(sortKey: string, shards: readonly Shard<Item>[]): Shard<Item> | undefined {
  let lowest: { readonly shard: Shard<Item>; readonly position: string } | undefined;
  for (const shard of shards) {
    const position = (shard.held[shard.position] as Record<string, string> | undefined)?.[sortKey];
    if (position === undefined) continue;
    if (lowest === undefined || position < lowest.position) lowest = { shard, position };
  }
  return lowest?.shard;
}
