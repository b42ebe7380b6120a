import type { Listing, Page } from './listing.ts';

/**
 * Iterates over the items of all pages.
 *
 * @param read reads the page at a cursor, or the first page
 */
export function listing<P extends Page>(read: (cursor: string | undefined) => Promise<P>): Listing<P> {
  async function* pages() {
    let cursor: string | undefined;
    do {
      const page = await read(cursor);
      yield page;
      cursor = page.next_cursor;
    } while (cursor !== undefined);
  }
  async function* items() {
    for await (const page of pages()) yield* page.items as P['items'][number][];
  }
  return Object.assign(items(), { pages });
}
