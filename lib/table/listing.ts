import { openCursor, prepareCursors, sealCursor } from './cursor.ts';
import { DIRECTORY, type Listing, listingRanges, positionIn } from './keys.ts';
import { type Merged, merge } from './merge.ts';
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

/** About what fits an answer. */
const MAX_ITEMS = 9000;
/** What is asked for at a time where most is left out: whoever wants few reads no more than this beyond them. */
const STEP = 2000;

/**
 * One page of a listing in the order of its index: all partitions are read side by side and merged.
 *
 * @param view the item as it is answered; undefined where it is left out
 * @throws Failure `invalid_request` for a cursor that is not of this listing
 */
export async function listPage<Item, T>(
  table: Table,
  listing: Listing<Item>,
  request: PageRequest,
  view: (item: Item) => T | undefined,
): Promise<Page<T>> {
  const { cursor, boundTo } = request;
  const cursorsOf = boundTo === undefined ? listing.name : `${listing.name} ${boundTo}`;
  const after = cursor === undefined ? request.after : await openCursor(table, cursorsOf, cursor);
  const merged = merge(table, listing, after);
  const seal = (position: string) => sealCursor(table, cursorsOf, position);
  const [page] = await Promise.all([fill(merged, listing, request, view, seal), prepareCursors(table)]);
  return page;
}

async function fill<Item, T>(
  merged: Merged<Item>,
  listing: Listing<Item>,
  { limit = Number.POSITIVE_INFINITY, examine }: PageRequest,
  view: (item: Item) => T | undefined,
  seal: (position: string) => Promise<string>,
): Promise<Page<T>> {
  const items: T[] = [];
  let bytes = 0;
  let escapedBytes = 0;
  let last = '';
  for (let examined = 0; ; examined++) {
    if (examined === examine || items.length >= limit)
      return (await merged.isOver()) ? { items } : { items, next_cursor: await seal(last) };
    const wanted =
      examine === undefined
        ? Math.min(limit - items.length, Math.max(MAX_ITEMS - items.length, STEP))
        : Math.min(STEP, examine - examined);
    const next = await merged.next(wanted);
    if (next === undefined) return { items };
    const item = view(next);
    if (item !== undefined) {
      const json = JSON.stringify(item);
      bytes += Buffer.byteLength(json) + 1;
      escapedBytes += Buffer.byteLength(JSON.stringify(json));
      const isFull = bytes > MAX_BYTES || escapedBytes > MAX_ESCAPED_BYTES;
      if (items.length > 0 && isFull) return { items, next_cursor: await seal(last) };
      items.push(item);
    }
    last = positionIn(listing, next);
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

/** The usernames of all accounts, at most `size` a page. */
export async function* allUsernames(table: Table, size: number): AsyncGenerator<string[]> {
  for await (const accounts of everythingIn(table, DIRECTORY, size))
    yield accounts.map(({ username }) => username);
}
