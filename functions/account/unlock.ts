import { unlock } from '#lib/account/contracts';
import { unlockAccount } from '#lib/account/lifecycle/lock';
import { endpoint } from '#lib/handler/endpoint';
import { publisherFromEnvironment } from '#lib/outbox/publisher';

/** Unlocks an account and resets its failed logins. */
export const handler = endpoint(
  unlock,
  ({ actor, accounts: [target] }, runtime) => unlockAccount(runtime, target, actor),
  { publish: publisherFromEnvironment },
);
