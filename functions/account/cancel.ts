import { cancelAccount } from '#lib/account/lifecycle/cancel';
import { contract } from '#lib/account/lifecycle/cancel.contract';
import { endpoint } from '#lib/handler/endpoint';
import { stepUp } from '#lib/http/step-up';
import { publisherFromEnvironment } from '#lib/outbox/publisher';

/** Cancels an account and publishes `user_cancel`. */
export const handler = endpoint(
  contract,
  ({ actor, accounts: [target] }, runtime) => cancelAccount(runtime, target, actor),
  { publish: publisherFromEnvironment, stepUp },
);
