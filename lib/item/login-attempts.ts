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

/** The attempts to log in under one username, oldest first. */
export interface LoginAttempts {
  readonly attempts: readonly Attempt[];
  /** Changes with every write, so that nobody overwrites another's. */
  readonly revision: number;
}
