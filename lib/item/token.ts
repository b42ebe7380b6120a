/** The item of an API token, found by the hash of its secret. */
export interface TokenItem {
  /** Owner, as created. */
  readonly username: string;
  readonly userid: string;
  readonly name: string;
  readonly token_created_at: string;
  readonly token_created_by: string;
  /** Absent until the first use. */
  readonly token_used_at?: string;
}

/** The item that holds a name in its account, and leads to the token. */
export interface TokenName {
  readonly sha256: string;
}
