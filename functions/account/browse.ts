import { browseAccounts } from '#lib/account/directory/browse';
import { contract } from '#lib/account/directory/browse.contract';
import { endpoint } from '#lib/handler/endpoint';

/** Lists the directory by username, with the statistics of all accounts. */
export const handler = endpoint(contract, ({ query }, runtime) => browseAccounts(runtime, query));
