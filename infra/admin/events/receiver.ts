import { openSubscription } from '../../local/subscription.ts';
import { Refusal } from '../refusal.ts';
import type { Target } from '../target.ts';

/** Opens a subscriber: a URL or a module, which prints to standard error and has the variables of this process. */
export function openReceiver(named: string) {
  const { ADMIN_PASSWORD: _, ...env } = process.env as Record<string, string>;
  return openSubscription(named, env, {
    take: (output) => void output.pipe(process.stderr, { end: false }),
  });
}

/** What the events of an instance are passed to. @throws Refusal `no_subscriber` */
export function subscriberOf({ subscribe }: Target): string {
  if (subscribe !== undefined) return subscribe;
  throw new Refusal(
    'no_subscriber',
    'The instance has no subscriber: start it with npm start -- --subscribe <url or module>',
  );
}
