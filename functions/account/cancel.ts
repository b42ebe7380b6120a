import { cancel } from '#lib/account/contracts';
import { cancelAccount } from '#lib/account/lifecycle/cancel';
import { endpoint } from '#lib/handler/endpoint';
import { publisherFromEnvironment } from '#lib/outbox/publisher';

/** Cancels an account and publishes `user_cancel`. */
export const handler = endpoint(
  cancel,
  ({ actor, accounts: [target] }, runtime) => cancelAccount(runtime, target, actor),
  { publish: publisherFromEnvironment },
);
