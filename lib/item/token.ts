/** Item of an API token, under the hash of its secret. */
export interface TokenItem {
  /** Username of the owner, as created. */
  readonly username: string;
  readonly userid: string;
  readonly name: string;
  readonly token_created_at: string;
  readonly token_created_by: string;
  /** Absent until the first use. */
  readonly token_used_at?: string;
}

/** Item that reserves a name in its account and refers to the token. */
export interface TokenName {
  readonly sha256: string;
}
