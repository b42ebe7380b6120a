/** The service while it comes and goes. */
export interface Service {
  /** Resolves to its base URL, once it is there. */
  url(): Promise<string>;
  readonly adminToken: string;
  /** Accounts whose roles are given by copies. */
  readonly sources: readonly { readonly username: string; readonly roles: readonly string[] }[];
  /** Creates an account without anything. */
  create(username: string): Promise<void>;
  /** The number of events that were published of an account, once none is pending. */
  events(username: string): Promise<number>;
}
