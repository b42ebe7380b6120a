import { endpoint } from '#lib/function/endpoint';
import { listUser } from '#lib/token/contracts';
import { listTokens } from '#lib/token/list';

/**
 * Lists the tokens of an account by name, without their secrets.
 *
 * Two reads after authentication: the names, then their records in one batch.
 */
export const handler = endpoint(listUser, ({ accounts: [owner] }, { table }) =>
  listTokens(table, owner.username),
);
