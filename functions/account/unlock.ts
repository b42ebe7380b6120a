import { unlockAccount } from '#lib/account/lifecycle/lock';
import { contract } from '#lib/account/lifecycle/unlock.contract';
import { endpoint } from '#lib/handler/endpoint';
import { publisherFromEnvironment } from '#lib/outbox/publisher';

/** Unlocks an account and resets its failed logins. */
export const handler = endpoint(
  contract,
  ({ actor, accounts: [target] }, runtime) => unlockAccount(runtime, target, actor),
  { publish: publisherFromEnvironment },
);
