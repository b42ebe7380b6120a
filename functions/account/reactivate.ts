import { reactivateAccount } from '#lib/account/lifecycle/reactivate';
import { contract } from '#lib/account/lifecycle/reactivate.contract';
import { endpoint } from '#lib/handler/endpoint';
import { stepUp } from '#lib/http/step-up';
import { publisherFromEnvironment } from '#lib/outbox/publisher';

/** Reactivates a cancelled account and publishes `user_reactivate`; its earlier sessions stay invalid. */
export const handler = endpoint(
  contract,
  ({ actor, accounts: [target], body, limits }, runtime) =>
    reactivateAccount(runtime, target, actor, body, limits),
  { publish: publisherFromEnvironment, stepUp },
);
