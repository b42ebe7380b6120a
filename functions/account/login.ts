import { endpoint } from '#lib/handler/endpoint';
import { logIn } from '#lib/login/login';
import { contract } from '#lib/login/login.contract';
import { signingKeyFromSecret } from '#lib/session/signing-key';

/** Exchanges a username and password, or `api` and an API token, for a session token. */
export const handler = endpoint(contract, ({ body, event }, runtime) => logIn(runtime, body, event), {
  signingKey: signingKeyFromSecret,
});
