import { lock } from '#lib/account/contracts';
import { lockAccount } from '#lib/account/lifecycle/lock';
import { endpoint } from '#lib/handler/endpoint';
import { publisherFromEnvironment } from '#lib/outbox/publisher';

/**
 * Locks an account: its credentials are refused from the next request on.
 *
 * One transaction after authentication, which has read the target.
 */
export const handler = endpoint(
  lock,
  ({ actor, accounts: [target] }, runtime) => lockAccount(runtime, target, actor),
  { publish: publisherFromEnvironment },
);
