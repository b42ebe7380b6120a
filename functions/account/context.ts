import { endpoint } from '#lib/function/endpoint';
import { switchContext } from '#lib/profile/context';
import { context } from '#lib/profile/contracts';

/**
 * Switches the application context: the caller's, or as an administrator anyone's.
 *
 * One write after authentication, which has read the target.
 */
export const handler = endpoint(context, ({ accounts: [account], params }, { table }) =>
  switchContext(table, account, params.app_name),
);
