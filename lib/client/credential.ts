/**
 * Credential of the caller. With a username and a password, the client logs in at the first request and again when the
 * session has ended. A function that returns a session token is called at the same times.
 */
export type Credential =
  | { readonly username: string; readonly password: string }
  /** An API token. */
  | { readonly token: string }
  /** A session token. */
  | { readonly session: string | (() => string | Promise<string>) };
