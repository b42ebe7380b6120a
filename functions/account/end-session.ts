import { endpoint } from '#lib/handler/endpoint';
import { endRequested } from '#lib/login/end-session';
import { contract } from '#lib/login/end-session.contract';

/** Ends a session of the caller, whose next request is refused; administrators may name another account. */
export const handler = endpoint(contract, ({ accounts: [account], params, ...own }, runtime) =>
  endRequested(runtime, account, params.session_id, own),
);
