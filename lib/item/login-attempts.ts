/** One attempt at a password, stored before the password is verified. */
export interface Attempt {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Source: an IPv4 address, or the /64 of an IPv6 address. */
  readonly from: string;
  /** Its password is being verified. */
  readonly pending?: true;
}

/** The attempts that one limit counts, oldest first. */
export interface LoginAttempts {
  /** Absent before the first attempt from a blocked address. */
  readonly attempts?: readonly Attempt[];
  /** Changes with every write of attempts, so that no request overwrites the write of another; absent like them. */
  readonly revision?: number;
  /** Time of the last lockout, in lists of a name; in milliseconds since the epoch. */
  readonly locked_at?: number;
  /** Time of the last successful login, in lists of a name and an address; in milliseconds since the epoch. */
  readonly known_at?: number;
  /** Security stamp of the account at that login; absent from items of earlier versions, which make nothing known. */
  readonly known_stamp?: string;
  /** End of a block by an operator, in lists of an address; in milliseconds since the epoch. */
  readonly blocked_until?: number | undefined;
  /** In seconds since the epoch. */
  readonly ttl?: number;
}

/** A block of a source address, for the list of blocks; the lists of its attempts decide. */
export interface AddressBlock {
  /** ISO 8601, UTC, ends in Z. */
  readonly blocked_at: string;
  /** The operator. */
  readonly blocked_by: string;
  /** In milliseconds since the epoch; 0 after an unblocking. */
  readonly blocked_until: number;
  /** In seconds since the epoch. */
  readonly ttl: number;
}

/** Causes of a {@link LoginBlock}. */
export const BLOCK_CAUSES = ['attempts', 'attempts_from_address'] as const;

/** A temporary lockout of an account by failed logins. */
export interface LoginBlock {
  /** `attempts` for all addresses except known ones, `attempts_from_address` for one address. */
  readonly cause: (typeof BLOCK_CAUSES)[number];
  /** ISO 8601, UTC, ends in Z. */
  readonly since: string;
  readonly until: string;
}
