import { openCursor, prepareCursors, sealCursor } from './cursor.ts';
import { DIRECTORY, type Listing, listingRanges, positionIn, type Range } from './keys.ts';
import { type Merged, merge } from './merge.ts';
import { pages, readPage } from './read.ts';
import type { Table } from './table.ts';

/** A page of at most `limit` items after `cursor`. */
export interface PageRequest {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  /** Sort key after which the listing begins without a cursor. */
  readonly after?: string | undefined;
  /** Text that the cursors are bound to, in addition to the listing. */
  readonly boundTo?: string | undefined;
  /** Maximum of items that a page examines when the view omits some. */
  readonly examine?: number | undefined;
  /** Room that the answer has left; such a page may be empty before the last. By default the whole room of an answer. */
  readonly fits?: Room | undefined;
}

export interface Page<T> {
  readonly items: T[];
  readonly next_cursor?: string;
}

/** Maximum size of the items as JSON: the whole answer has at most 5 MB. */
const MAX_BYTES = 4_999_000;
/** Maximum size of the items in a JSON string with escaped quotes, as Lambda returns an answer. */
const MAX_ESCAPED_BYTES = 6_100_000;

/** Maximum of items that a filtered page examines, about as many as an unfiltered page has. */
export const MAX_EXAMINED = 10_000;

/** Number of items that fit an answer, approximately. */
const MAX_ITEMS = 9000;
/**
 * Maximum of items requested at a time when the view omits most of them, so also of those read in excess. A filtered page
 * first requests its limit. Each later request doubles the number of items that the page has examined.
 */
const STEP = 2000;

/** The same text for the same filter parameters; undefined if there are none. */
export function filterText(filter: object): string | undefined {
  const asked = Object.entries(filter).filter(([, value]) => value !== undefined);
  return asked.length === 0 ? undefined : JSON.stringify(asked.sort());
}

export interface Source<Item> {
  /** Name that its cursors are bound to. */
  readonly name: string;
  /** Its items after a position, or from its beginning. */
  readonly from: (position: string | undefined) => Merged<Item>;
  readonly positionOf: (item: Item) => string;
}

/** Reads one page of a listing in the order of its index: all partitions in parallel, merged. */
export const listPage = <Item, T>(
  table: Table,
  listing: Listing<Item>,
  request: PageRequest,
  view: (item: Item) => T | undefined,
): Promise<Page<T>> => {
  const from = (after: string | undefined) => merge(table, listingRanges(listing, after));
  const positionOf = (item: Item) => positionIn(listing, item);
  return readPageOf(table, { name: listing.name, from, positionOf }, request, view);
};

/**
 * Reads one page.
 *
 * @param view turns an item into its answer, or into undefined to omit it
 * @throws Failure `invalid_request` for a cursor of another listing
 */
export async function readPageOf<Item, T>(
  table: Table,
  source: Source<Item>,
  request: PageRequest,
  view: (item: Item) => T | undefined,
): Promise<Page<T>> {
  const { cursor, boundTo } = request;
  const cursorsOf = cursorsFor(source.name, boundTo);
  const after = cursor === undefined ? request.after : await openCursor(table, cursorsOf, cursor);
  const seal = (position: string) => sealCursor(table, cursorsOf, position);
  const [page] = await Promise.all([fill(source, after, request, view, seal), prepareCursors(table)]);
  return page;
}

const cursorsFor = (name: string, boundTo: string | undefined) =>
  boundTo === undefined ? name : `${name} ${boundTo}`;

/** The cursor with which a page of a listing begins after an item. */
export const cursorAfter = <Item>(
  table: Table,
  listing: Listing<Item>,
  item: Item,
  { boundTo }: Pick<PageRequest, 'boundTo'>,
): Promise<string> => sealCursor(table, cursorsFor(listing.name, boundTo), positionIn(listing, item));

/** Adds a part to an answer. @returns false if the answer would be too large; it is then full */
export type Room = (part: unknown) => boolean;

/** The room that one answer has. */
export function newRoom(): Room {
  let bytes = 0;
  let escapedBytes = 0;
  return (part) => {
    const json = JSON.stringify(part);
    bytes += Buffer.byteLength(json) + 1;
    escapedBytes += Buffer.byteLength(JSON.stringify(json));
    return bytes <= MAX_BYTES && escapedBytes <= MAX_ESCAPED_BYTES;
  };
}

async function fill<Item, T>(
  { from, positionOf }: Source<Item>,
  after: string | undefined,
  { limit = Number.POSITIVE_INFINITY, examine, fits }: PageRequest,
  view: (item: Item) => T | undefined,
  seal: (position: string) => Promise<string>,
): Promise<Page<T>> {
  const merged = from(after);
  const items: T[] = [];
  const hasRoom = fits ?? newRoom();
  let last = '';
  for (let examined = 0; ; examined++) {
    if (examined === examine || items.length >= limit)
      return (await merged.isOver()) ? { items } : { items, next_cursor: await seal(last) };
    const wanted =
      examine === undefined
        ? Math.min(limit - items.length, Math.max(MAX_ITEMS - items.length, STEP))
        : Math.min(STEP, examine - examined, Math.max(examined, limit - items.length));
    const next = await merged.next(wanted);
    if (next === undefined) return { items };
    const item = view(next);
    if (item !== undefined) {
      // Every page of a listing has an item, so that the next one is another.
      if (!hasRoom(item) && (items.length > 0 || fits)) return { items, next_cursor: await seal(last) };
      items.push(item);
    }
    last = positionOf(next);
  }
}

/** A page of a range: `cursor` is the sort key after which it begins. */
export type RangeRequest = Pick<PageRequest, 'limit' | 'cursor'>;

/**
 * Reads one page of a range of the table, by one query of at most `limit` items and 1 MB. A page may be short or empty
 * before the last.
 *
 * @param view turns an item into its answer, or into undefined to omit it
 */
export async function rangePage<Item, T>(
  table: Table,
  range: Range<Item>,
  { limit, cursor }: RangeRequest,
  view: (item: Item) => T | undefined,
): Promise<Page<T>> {
  const start = cursor === undefined ? undefined : { PK: range.PK, SK: cursor };
  const { items, next } = await readPage(table, range, limit, start);
  return {
    items: items.flatMap((item) => view(item) ?? []),
    ...(next && { next_cursor: next['SK'] as string }),
  };
}

/**
 * Reads all items of a listing by pages, one partition after the other.
 *
 * @param size maximum of items per page
 */
export async function* everythingIn<Item>(
  table: Table,
  listing: Listing<Item>,
  size?: number,
): AsyncGenerator<Item[]> {
  for (const range of listingRanges(listing, undefined)) yield* pages(table, range, size);
}

/** Reads the usernames of all accounts by pages of at most `size`. */
export async function* allUsernames(table: Table, size: number): AsyncGenerator<string[]> {
  for await (const accounts of everythingIn(table, DIRECTORY, size))
    yield accounts.map(({ username }) => username);
}
