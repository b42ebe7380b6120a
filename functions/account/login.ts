import { login } from '#lib/account/contracts';
import { logIn } from '#lib/account/login';
import { signingKeyFromSecret } from '#lib/auth/signing-key';
import { endpoint } from '#lib/http/endpoint';

const signingKey = signingKeyFromSecret();

/**
 * Exchanges a username and password, or `api` and an API token, for a session token.
 *
 * With bcryptjs at cost 12 the time is that of the hash: 200 ms of a full CPU.
 */
export const handler = endpoint(login, ({ body, event }, runtime) => logIn(runtime, signingKey, body, event));
