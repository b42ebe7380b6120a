import type { Credential, Identity } from './options.ts';
import { invalidInput } from './refusal.ts';

/** Source of the `authorization` header. */
export interface Presenter {
  /** @param refused header that was answered with 401 */
  readonly authorization: (refused?: string) => Promise<string | undefined>;
  /** Whether another header can follow a refused one. */
  readonly renewable: boolean;
}

/** How a client gets a session. */
interface SessionSources {
  /** @returns a session token */
  readonly logIn: (username: string, password: string) => Promise<string>;
  readonly exchange: (identity: Identity) => Promise<IssuedToken>;
}

/** A session token, and its lifetime in seconds. */
export interface IssuedToken {
  readonly access_token: string;
  readonly expires_in: number;
}

/** Share of a session's lifetime after which the client exchanges the next token: a request does not end with its session. */
const RENEWED_AFTER = 0.9;

export function presenter(
  credential: Credential | undefined,
  { logIn, exchange }: SessionSources,
): Presenter {
  if (credential === undefined) return fixed(undefined);
  if ('password' in credential)
    return renewed(async () => ({
      value: header('Bearer', await logIn(credential.username, credential.password)),
    }));
  if ('token' in credential) return fixed(header('Token', credential.token));
  if ('identity' in credential)
    return renewed(async () => {
      const { access_token, expires_in } = await exchange(credential.identity);
      return {
        value: header('Bearer', access_token),
        renewAt: Date.now() + expires_in * 1000 * RENEWED_AFTER,
      };
    });
  const { session } = credential;
  if (typeof session === 'string') return fixed(header('Bearer', session));
  return renewed(async () => ({ value: header('Bearer', await session()) }));
}

const fixed = (value: string | undefined): Presenter => ({
  authorization: async () => value,
  renewable: false,
});

/** The `authorization` header of a session; without `renewAt`, it is presented until it is refused. */
interface Renewable {
  readonly value: string;
  /** Time from which the next session is requested, in milliseconds since the epoch. */
  readonly renewAt?: number;
}

/** Shares one session between all requests, and requests the next one once. */
function renewed(next: () => Promise<Renewable>): Presenter {
  let asked: Promise<string> | undefined;
  let current: Renewable | undefined;
  return {
    renewable: true,
    authorization(refused) {
      if (
        current &&
        (refused === current.value || Date.now() >= (current.renewAt ?? Number.POSITIVE_INFINITY))
      )
        asked = current = undefined;
      asked ??= next().then(
        (issued) => {
          current = issued;
          return issued.value;
        },
        (error) => {
          asked = undefined;
          throw error;
        },
      );
      return asked;
    },
  };
}

/** @throws CoreAccountError when no header can hold the secret; the error of `fetch` would show it */
function header(scheme: string, secret: string): string {
  if (!/^[\x21-\x7e]+$/.test(secret))
    throw invalidInput('createClient', 'credential', 'Must be visible characters of ASCII');
  return `${scheme} ${secret}`;
}
