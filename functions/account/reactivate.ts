import { reactivate } from '#lib/account/contracts';
import { reactivateAccount } from '#lib/account/lifecycle/reactivate';
import { endpoint } from '#lib/handler/endpoint';
import { publisherFromEnvironment } from '#lib/outbox/publisher';

/**
 * Makes a cancelled account active again and publishes `user_reactivate`; the sessions it had stay dead.
 *
 * One transaction after authentication, which has read the target; two or three more where tokens are revoked.
 */
export const handler = endpoint(
  reactivate,
  ({ actor, accounts: [target], body }, runtime) => reactivateAccount(runtime, target, actor, body),
  { publish: publisherFromEnvironment },
);
