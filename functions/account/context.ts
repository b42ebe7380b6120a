import { switchContext } from '#lib/account/profile/context';
import { contract } from '#lib/account/profile/context.contract';
import { endpoint } from '#lib/handler/endpoint';

/** Switches the application context of the caller; administrators may name another account. */
export const handler = endpoint(contract, ({ accounts: [account], params }, { table }) =>
  switchContext(table, account, params.app_name),
);
