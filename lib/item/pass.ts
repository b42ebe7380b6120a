/** A pass of a job through many items, over several runs. */
export interface Pass {
  /** Milliseconds since the epoch. */
  readonly began_at: number;
  /** Where the last page ended; absent at the beginning. */
  readonly cursor?: { readonly PK: string; readonly SK: string } | undefined;
  /** Milliseconds since the epoch; absent until the end of the items. */
  readonly ended_at?: number | undefined;
}
