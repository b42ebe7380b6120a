export interface Page {
  readonly items: readonly unknown[];
  readonly next_cursor?: string | undefined;
}

/** The items of a listing, one after the other; its pages are asked for as they are needed. */
export type Listing<P extends Page> = AsyncGenerator<P['items'][number], void, undefined> & {
  /** The same page by page, each with what it says beside its items; from the first on. */
  readonly pages: () => AsyncGenerator<P, void, undefined>;
};
