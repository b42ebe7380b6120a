/**
 * Who asks. With a username and a password the client logs in by itself, and again when the session has ended; a function
 * is asked for a session token when the first request needs one, and again when that has ended.
 */
export type Credential =
  | { readonly username: string; readonly password: string }
  /** An API token. */
  | { readonly token: string }
  /** A session token. */
  | { readonly session: string | (() => string | Promise<string>) };
