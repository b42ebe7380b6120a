import { logout } from '#lib/account/contracts';
import { logOut } from '#lib/account/logout';
import { endpoint } from '#lib/http/endpoint';

/**
 * Ends all sessions of the caller and clears the cookie; API tokens live on.
 *
 * One write after authentication.
 */
export const handler = endpoint(logout, ({ caller, event }, runtime) => logOut(runtime, caller, event));
