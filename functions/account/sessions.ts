import { sessions } from '#lib/account/contracts';
import { listSessions } from '#lib/account/sessions';
import { endpoint } from '#lib/handler/endpoint';

/** Lists the open sessions of the caller; administrators may name another account. */
export const handler = endpoint(sessions, ({ accounts: [account], query }, runtime) =>
  listSessions(runtime, account, query),
);
