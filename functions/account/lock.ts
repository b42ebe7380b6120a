import { lock } from '#lib/account/contracts';
import { lockAccount } from '#lib/account/lock';
import { endpoint } from '#lib/http/endpoint';

/**
 * Locks an account: every credential of it is refused from the next request on.
 *
 * One transaction after authentication, which has read the target.
 */
export const handler = endpoint(lock, ({ caller, accounts: [target] }, runtime) =>
  lockAccount(runtime, caller, target),
);
