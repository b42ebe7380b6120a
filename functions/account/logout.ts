import { endpoint } from '#lib/handler/endpoint';
import { logOut } from '#lib/login/logout';
import { contract } from '#lib/login/logout.contract';

/** Ends all sessions of the caller and clears the cookie; API tokens stay valid. */
export const handler = endpoint(contract, ({ caller, event, ...own }, runtime) =>
  logOut(runtime, caller, event, own),
);
