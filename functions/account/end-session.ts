import { contract } from '#lib/account/end-session.contract';
import { endSession } from '#lib/account/sessions';
import { endpoint } from '#lib/handler/endpoint';

/** Ends a session of the caller, whose next request is refused; administrators may name another account. */
export const handler = endpoint(contract, ({ accounts: [account], params, ...own }, runtime) =>
  endSession(runtime, account, params.session_id, own),
);
