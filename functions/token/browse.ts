import { endpoint } from '#lib/handler/endpoint';
import { browse } from '#lib/token/contracts';
import { browseTokens } from '#lib/token/list';

/** Lists the tokens of all accounts by owner, then name, without their secrets. */
export const handler = endpoint(browse, ({ query }, runtime) => browseTokens(runtime, query));
