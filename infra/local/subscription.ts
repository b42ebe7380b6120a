import { readFileSync, writeFileSync } from 'node:fs';
import type { DataDirectory } from './data-directory.ts';
import type { Options } from './flags.ts';
import { parsePattern } from './services/event-pattern.ts';
import { isSecret, newSecret } from './services/signature.ts';
import type { Subscription } from './services/subscriber.ts';

/**
 * What the flags ask for; the secret is kept, so that the next start and the operator commands sign with it, too.
 *
 * @returns the secret apart, where it is new and nobody has seen it yet
 * @throws Error where the given secret has not the form of one; the message does not contain it
 */
export function subscriptionOf(
  options: Options,
  user: NodeJS.ProcessEnv,
  { queue, deadLetters, subscriberSecret }: DataDirectory,
): { readonly subscription?: Subscription; readonly newSecret: string | undefined } {
  const { subscribe: url, pattern } = options;
  if (url === undefined) return { newSecret: undefined };
  const given = options.subscribeSecret ?? (user['SUBSCRIBE_SECRET'] || undefined);
  if (given !== undefined && !isSecret(given))
    throw new Error(
      '--subscribe-secret, or SUBSCRIBE_SECRET, must be whsec_ and 24 to 64 bytes in base64: echo "whsec_$(openssl rand -base64 32)" makes one.',
    );
  const kept = readSecret(subscriberSecret);
  const secret = given ?? kept ?? newSecret();
  if (secret !== kept) writeFileSync(subscriberSecret, `${secret}\n`, { mode: 0o600, flush: true });
  const matches = pattern === undefined ? () => true : parsePattern(pattern);
  return {
    subscription: { url, matches, secret, queue, deadLetters },
    newSecret: (given ?? kept) ? undefined : secret,
  };
}

/** The secret that a data directory keeps; undefined where it has none. */
export function readSecret(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim() || undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
