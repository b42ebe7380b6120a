import { login } from '#lib/account/contracts';
import { endpoint } from '#lib/handler/endpoint';
import { logIn } from '#lib/login/login';
import { signingKeyFromSecret } from '#lib/session/signing-key';

/**
 * Exchanges a username and password, or `api` and an API token, for a session token.
 *
 * Most of the time is the hash: with bcryptjs at cost 12, 200 ms of a full CPU.
 */
export const handler = endpoint(login, ({ body, event }, runtime) => logIn(runtime, body, event), {
  signingKey: signingKeyFromSecret,
});
