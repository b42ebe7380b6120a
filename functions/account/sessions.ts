import { listSessions } from '#lib/account/sessions';
import { contract } from '#lib/account/sessions.contract';
import { endpoint } from '#lib/handler/endpoint';

/** Lists the open sessions of the caller; administrators may name another account. */
export const handler = endpoint(contract, ({ accounts: [account], query }, runtime) =>
  listSessions(runtime, account, query),
);
