import { reactivateAccount } from '#lib/account/cancel';
import { reactivate } from '#lib/account/contracts';
import { endpoint } from '#lib/http/endpoint';

/**
 * Makes a cancelled account active again; the sessions it had stay dead.
 *
 * One transaction after authentication, which has read the target.
 */
export const handler = endpoint(reactivate, ({ caller, accounts: [target] }, runtime) =>
  reactivateAccount(runtime, caller, target),
);
