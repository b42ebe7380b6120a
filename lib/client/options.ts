/**
 * Identity of a machine account by a token of its platform. The client exchanges a token for a session at the first
 * request, shortly before the session ends, and when it has ended early.
 */
export interface Identity {
  /** Trust that accepts the tokens, as `<trust>@<machine>`. */
  readonly trust: string;
  /** Returns a new token of the platform for each exchange: many issuers' tokens are accepted only once. */
  readonly token: () => string | Promise<string>;
}

/**
 * Credential of the caller. With a username and a password, the client logs in at the first request and again when the
 * session has ended. A function that returns a session token is called at the same times.
 */
export type Credential =
  | { readonly username: string; readonly password: string }
  /** An API token. */
  | { readonly token: string }
  /** An identity that the platform of a machine proves, without a stored secret. */
  | { readonly identity: Identity }
  /** A session token. */
  | { readonly session: string | (() => string | Promise<string>) };

/** How often a request is sent, and how long the client waits for it. */
export interface Patience {
  /** Maximum number of attempts; 3 by default. */
  readonly tries?: number;
  /** Longest wait between attempts in milliseconds; 10,000 by default. A longer `Retry-After` throws at once. */
  readonly maxWaitMs?: number;
  /** Timeout of one attempt in milliseconds; 35,000 by default, as the gateway waits 30 seconds. */
  readonly timeoutMs?: number;
}

export interface ClientOptions extends Patience {
  /** Base URL of the instance, such as `https://core.example.com`. */
  readonly url: string;
  /** Credential of the caller; without one, a browser presents the session cookie of the same origin. */
  readonly credential?: Credential | undefined;
  /** Replacement for the global `fetch`. */
  readonly fetch?: typeof fetch;
  /** Replacement for `JSON.parse`, such as one that keeps numbers that no double represents. */
  readonly parse?: (text: string) => unknown;
}

export interface RequestOptions {
  /** Signal that ends the request, its further attempts and its waits. */
  readonly signal?: AbortSignal | undefined;
  /** Receives the headers of the answer, such as the `etag` of a profile for `ifMatch` of an update. */
  readonly onHeaders?: ((headers: Headers) => void) | undefined;
  /** Receives the message of the answer, such as `Account Locked`; empty without an envelope. */
  readonly onMessage?: ((message: string) => void) | undefined;
  /** Marks the request as one of a batch, in its audit entry: a UUID that all of them share, and their number, up to 10,000. */
  readonly batch?: { readonly id: string; readonly size: number } | undefined;
}

/** Source of tokens for other services, which verify them without this one. */
export interface TokenSource {
  /**
   * Answers a token for another service, by an exchange of the client's credential. The client keeps it until a minute
   * before its end.
   *
   * @param audience URI of the service, as the instance has it in `Settings:Resources`
   * @throws TypeError for a client without a credential: cookies are never exchanged
   */
  readonly tokenFor: (audience: string, options?: Pick<RequestOptions, 'signal'>) => Promise<string>;
}
