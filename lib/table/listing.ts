import { openCursor, sealCursor } from './cursor.ts';
import { type Listing, listingRanges, positionIn, SHARDS } from './keys.ts';
import { pages } from './read.ts';
import type { Table } from './table.ts';

/** What is asked for: at most `limit` items, from after `cursor`. */
export interface PageRequest {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  /** Where a listing begins without a cursor: after this sort key. */
  readonly after?: string | undefined;
  /** What the cursors are bound to besides the listing. */
  readonly boundTo?: string | undefined;
  /** Of how many items at most a page is made, where the view leaves some out. */
  readonly examine?: number | undefined;
}

export interface Page<T> {
  readonly items: T[];
  readonly next_cursor?: string;
}

/** Of the items, which with the rest of the answer fit 5 MB ... */
const MAX_BYTES = 4_999_000;
/** ... and as Lambda hands it over: as a JSON string, with quotes escaped, at most 6 MB with the rest. */
const MAX_ESCAPED_BYTES = 6_100_000;

/** About what fits an answer. Each partition is asked for its share and 15 % more, since a hash spreads unevenly. */
const MAX_ITEMS = 9000;
/** What is asked for at a time where most is left out: whoever wants few reads no more than this beyond them. */
const STEP = 2000;
const share = (items: number) => Math.ceil((items / SHARDS) * 1.15) + 2;

/**
 * One page of a listing in the order of its index: all partitions are read in parallel and merged.
 *
 * @param view the item as it is answered; undefined where it is left out
 * @throws Failure `invalid_request` for a cursor that is not of this listing
 */
export async function listPage<Item, T>(
  table: Table,
  listing: Listing<Item>,
  { limit = Number.POSITIVE_INFINITY, cursor, after: start, boundTo, examine }: PageRequest,
  view: (item: Item) => T | undefined,
): Promise<Page<T>> {
  const cursorsOf = boundTo === undefined ? listing.name : `${listing.name} ${boundTo}`;
  const after = cursor === undefined ? start : await openCursor(table, cursorsOf, cursor);
  const size = share(examine === undefined ? Math.min(limit, MAX_ITEMS) : STEP);
  const shards = await Promise.all(
    listingRanges(listing, after).map((range) => openShard(pages(table, range, size))),
  );

  const seal = () => sealCursor(table, cursorsOf, last as string);
  const items: T[] = [];
  let bytes = 0;
  let escapedBytes = 0;
  let last: string | undefined;
  for (let examined = 0; ; examined++) {
    const next = first(listing, shards);
    if (!next?.head) return { items };
    if (examined === examine || items.length >= limit) return { items, next_cursor: await seal() };
    const item = view(next.head);
    if (item !== undefined) {
      const json = JSON.stringify(item);
      bytes += Buffer.byteLength(json) + 1;
      escapedBytes += Buffer.byteLength(JSON.stringify(json));
      const isFull = bytes > MAX_BYTES || escapedBytes > MAX_ESCAPED_BYTES;
      if (items.length > 0 && isFull) return { items, next_cursor: await seal() };
      items.push(item);
    }
    last = positionIn(listing, next.head);
    await next.advance();
  }
}

/**
 * All items of a listing, page by page and partition by partition: what goes through everything reads it so.
 *
 * @param size items a page, at most
 */
export async function* everythingIn<Item>(
  table: Table,
  listing: Listing<Item>,
  size?: number,
): AsyncGenerator<Item[]> {
  for (const range of listingRanges(listing, undefined)) yield* pages(table, range, size);
}

/** A partition with its first item not yet taken. */
interface Shard<Item> {
  head: Item | undefined;
  advance(): Promise<void>;
}

async function openShard<Item>(source: AsyncGenerator<Item[]>): Promise<Shard<Item>> {
  let page: Item[] = [];
  let position = 0;
  const shard: Shard<Item> = {
    head: undefined,
    async advance() {
      position += 1;
      while (position >= page.length) {
        const { value, done } = await source.next();
        if (done) {
          shard.head = undefined;
          return;
        }
        page = value;
        position = 0;
      }
      shard.head = page[position];
    },
  };
  await shard.advance();
  return shard;
}

/** The shard whose head comes first. */
function first<Item>(listing: Listing<Item>, shards: readonly Shard<Item>[]) {
  const position = ({ head }: Shard<Item>) => positionIn(listing, head);
  let lowest: Shard<Item> | undefined;
  for (const shard of shards)
    if (shard.head && (!lowest?.head || position(shard) < position(lowest))) lowest = shard;
  return lowest;
}
