import { context } from '#lib/account/contracts';
import { switchContext } from '#lib/account/profile/context';
import { endpoint } from '#lib/handler/endpoint';

/** Switches the application context of the caller; administrators may name another account. */
export const handler = endpoint(context, ({ accounts: [account], params }, { table }) =>
  switchContext(table, account, params.app_name),
);
