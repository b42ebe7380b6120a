import { endpoint } from '#lib/function/endpoint';
import { remove } from '#lib/token/contracts';
import { deleteToken } from '#lib/token/delete';

/**
 * Deletes a token: the next request that presents it is refused.
 *
 * One read and one transaction after authentication.
 */
export const handler = endpoint(remove, ({ accounts: [owner], params }, { table }) =>
  deleteToken(table, owner, params.token_name),
);
