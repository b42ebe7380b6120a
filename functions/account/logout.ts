import { endpoint } from '#lib/function/endpoint';
import { logout } from '#lib/login/contracts';
import { logOut } from '#lib/login/logout';

/**
 * Ends all sessions of the caller and clears the cookie; API tokens live on.
 *
 * One write after authentication.
 */
export const handler = endpoint(logout, ({ caller, event }, runtime) => logOut(runtime, caller, event));
