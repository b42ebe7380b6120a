import { endpoint } from '#lib/function/endpoint';
import { listOwn } from '#lib/token/contracts';
import { listTokens } from '#lib/token/list';

/**
 * Lists the caller's own tokens by name, without their secrets.
 *
 * Two reads after authentication: the names, then their records in one batch.
 */
export const handler = endpoint(listOwn, ({ caller }, { table }) => listTokens(table, caller.username));
