/** A page of a listing; the last one has no cursor. */
export interface Page<Item = unknown> {
  readonly items: readonly Item[];
  readonly next_cursor?: string | undefined;
}

/** Iterator over the items of a listing; it requests each page when its items are needed. */
export type Listing<P extends Page> = AsyncGenerator<P['items'][number], void, undefined> & {
  /** Iterates over the pages from the first on, each with its properties in addition to the items. */
  readonly pages: () => AsyncGenerator<P, void, undefined>;
};

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
