import type { Credential } from './credential.ts';

/** How often, and how patiently, a request is tried. */
export interface Patience {
  /** At most so many times; 3 unless told. */
  readonly tries?: number;
  /** In milliseconds. Where `Retry-After` asks for more, the error is thrown at once; 10,000 unless told. */
  readonly maxWaitMs?: number;
  /** How long one try may take, in milliseconds; 35,000 unless told, since the gateway waits 30 seconds. */
  readonly timeoutMs?: number;
}

export interface ClientOptions extends Patience {
  /** Base URL of the instance, as `https://core.example.com`. */
  readonly url: string;
  /** Without one, a browser presents the cookie of a session of the same origin. */
  readonly credential?: Credential | undefined;
  /** Instead of the global one. */
  readonly fetch?: typeof fetch;
}

export interface RequestOptions {
  /** Ends the request, its repeats and its waits. */
  readonly signal?: AbortSignal | undefined;
  /** Is handed the headers of the answer: `etag` of a profile is what `ifMatch` of an update takes. */
  readonly onHeaders?: ((headers: Headers) => void) | undefined;
}
