import type { Credential } from './options.ts';
import { invalidInput } from './refusal.ts';

/** Source of the `authorization` header. */
export interface Presenter {
  /** @param refused header that was answered with 401 */
  readonly authorization: (refused?: string) => Promise<string | undefined>;
  /** Whether another header can follow a refused one. */
  readonly renewable: boolean;
}

/** @param logIn returns a session token */
export function presenter(
  credential: Credential | undefined,
  logIn: (username: string, password: string) => Promise<string>,
): Presenter {
  if (credential === undefined) return fixed(undefined);
  if ('password' in credential)
    return renewed(async () => header('Bearer', await logIn(credential.username, credential.password)));
  if ('token' in credential) return fixed(header('Token', credential.token));
  const { session } = credential;
  if (typeof session === 'string') return fixed(header('Bearer', session));
  return renewed(async () => header('Bearer', await session()));
}

const fixed = (value: string | undefined): Presenter => ({
  authorization: async () => value,
  renewable: false,
});

/** Shares one session between all requests, and requests the next one once. */
function renewed(next: () => Promise<string>): Presenter {
  let asked: Promise<string> | undefined;
  let current: string | undefined;
  return {
    renewable: true,
    authorization(refused) {
      if (refused !== undefined && refused === current) asked = current = undefined;
      asked ??= next().then(
        (value) => {
          current = value;
          return value;
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
