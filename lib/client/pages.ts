import type { Listing, Page } from './listing.ts';

/** @param read a page by its cursor; the first without */
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
