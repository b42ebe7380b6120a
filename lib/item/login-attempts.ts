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
  readonly attempts: readonly Attempt[];
  /** Changes with every write, so that no request overwrites the write of another. */
  readonly revision: number;
  /** Time of the last lockout, in lists of a name; in milliseconds since the epoch. */
  readonly locked_at?: number;
  /** Time of the last successful login, in lists of a name and an address; in milliseconds since the epoch. */
  readonly known_at?: number;
  /** Security stamp of the account at that login; absent from items of earlier versions, which make nothing known. */
  readonly known_stamp?: string;
}
