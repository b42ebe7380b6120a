import { endpoint } from '#lib/handler/endpoint';
import { browse } from '#lib/token/contracts';
import { browseTokens } from '#lib/token/list';

/**
 * Lists the tokens of all accounts by owner, then name, without their secrets.
 *
 * One round of parallel queries; more only where a page does not hold what fits.
 */
export const handler = endpoint(browse, ({ query }, { table }) => browseTokens(table, query));
