import { browse } from '#lib/account/contracts';
import { browseAccounts } from '#lib/account/directory/browse';
import { endpoint } from '#lib/handler/endpoint';

/** Lists the directory by username, with the statistics of all accounts. */
export const handler = endpoint(browse, ({ query }, runtime) => browseAccounts(runtime, query));
