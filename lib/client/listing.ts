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
