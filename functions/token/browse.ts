import { endpoint } from '#lib/handler/endpoint';
import { contract } from '#lib/token/browse.contract';
import { browseTokens } from '#lib/token/list';

/** Lists the tokens of all accounts by owner, then name, without their secrets. */
export const handler = endpoint(contract, ({ query }, runtime) => browseTokens(runtime, query));
