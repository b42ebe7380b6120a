/** One attempt at a password: it stands in the list before the password is looked at. */
export interface Attempt {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Source address. */
  readonly from: string;
  /** Its password is being verified. */
  readonly pending?: true;
}

/** The attempts that one limit counts, oldest first. */
export interface LoginAttempts {
  readonly attempts: readonly Attempt[];
  /** Changes with every write, so that nobody overwrites another's. */
  readonly revision: number;
  /** Of a name: when it was last locked out; in milliseconds since the epoch. */
  readonly locked_at?: number;
  /** Of a name and an address: when a login from there last succeeded; in milliseconds since the epoch. */
  readonly known_at?: number;
}
