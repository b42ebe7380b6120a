import { endpoint } from '#lib/function/endpoint';
import { lock } from '#lib/lifecycle/contracts';
import { lockAccount } from '#lib/lifecycle/lock';

/**
 * Locks an account: every credential of it is refused from the next request on.
 *
 * One transaction after authentication, which has read the target.
 */
export const handler = endpoint(lock, ({ caller, accounts: [target] }, runtime) =>
  lockAccount(runtime, caller, target),
);
