import { endpoint } from '#lib/http/endpoint';
import { deleteToken } from '#lib/token/contracts';
import { deleteToken as removeToken } from '#lib/token/delete';

/**
 * Deletes a token: the next request that presents it is refused.
 *
 * One read and one transaction after authentication.
 */
export const handler = endpoint(deleteToken, ({ accounts: [owner], params }, { table }) =>
  removeToken(table, owner, params.token_name),
);
