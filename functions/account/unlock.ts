import { unlock } from '#lib/account/contracts';
import { unlockAccount } from '#lib/account/lock';
import { endpoint } from '#lib/http/endpoint';

/**
 * Unlocks an account and makes its failed logins count no more.
 *
 * One write after authentication, which has read the target.
 */
export const handler = endpoint(unlock, ({ caller, accounts: [target] }, runtime) =>
  unlockAccount(runtime, caller, target),
);
