import { logout } from '#lib/account/contracts';
import { endpoint } from '#lib/handler/endpoint';
import { logOut } from '#lib/login/logout';

/** Ends all sessions of the caller and clears the cookie; API tokens stay valid. */
export const handler = endpoint(logout, ({ caller, event }, runtime) => logOut(runtime, caller, event));
