import { endpoint } from '#lib/function/endpoint';
import { unlock } from '#lib/lifecycle/contracts';
import { unlockAccount } from '#lib/lifecycle/lock';
import { publisherFromEnvironment } from '#lib/outbox/publisher';

/**
 * Unlocks an account and makes its failed logins count no more.
 *
 * One write after authentication, which has read the target.
 */
export const handler = endpoint(
  unlock,
  ({ actor, accounts: [target] }, runtime) => unlockAccount(runtime, target, actor),
  { publish: publisherFromEnvironment },
);
