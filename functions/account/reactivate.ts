import { endpoint } from '#lib/function/endpoint';
import { reactivateAccount } from '#lib/lifecycle/cancel';
import { reactivate } from '#lib/lifecycle/contracts';

/**
 * Makes a cancelled account active again; the sessions it had stay dead.
 *
 * One transaction after authentication, which has read the target.
 */
export const handler = endpoint(reactivate, ({ accounts: [target] }, runtime) =>
  reactivateAccount(runtime, target),
);
