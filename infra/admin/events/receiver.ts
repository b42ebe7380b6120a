import { openSubscription, subscriberEnvironment } from '../../local/subscription.ts';
import { Refusal } from '../refusal.ts';
import type { Target } from '../target.ts';

/** Opens a subscriber: a URL or a module, which prints to standard error and has the variables of this process. */
export const openReceiver = (named: string) =>
  openSubscription(named, subscriberEnvironment(process.env), {
    take: (output) => void output.pipe(process.stderr, { end: false }),
  });

/** The subscriber of a local instance. @throws Refusal `no_subscriber` */
export function subscriberOf({ subscribe }: Target): string {
  if (subscribe !== undefined) return subscribe;
  throw new Refusal(
    'no_subscriber',
    'The instance has no subscriber: start it with npm start -- --subscribe <url or module>',
  );
}
