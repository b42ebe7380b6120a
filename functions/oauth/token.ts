import { endpoint } from '#lib/handler/endpoint';
import { refusal } from '#lib/http/oauth-refusal';
import { grantSession } from '#lib/oauth/token';
import { contract } from '#lib/oauth/token.contract';
import { signingKeyFromSecret } from '#lib/session/signing-key';

/** Exchanges an API token, or the token of a platform that a trust names, for a session token (RFC 6749, 7523, 8693). */
export const handler = endpoint(contract, ({ body, event }, runtime) => grantSession(runtime, body, event), {
  signingKey: signingKeyFromSecret,
  refusal,
});
