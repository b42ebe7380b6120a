import { endpoint } from '#lib/handler/endpoint';
import { refusal } from '#lib/http/oauth-refusal';
import { grantToken } from '#lib/oauth/token';
import { contract } from '#lib/oauth/token.contract';
import { resourceKeyFromSecret } from '#lib/resource/resource-key';
import { signingKeyFromSecret } from '#lib/session/signing-key';

/** Exchanges a credential for a session token, or for a token for another service (RFC 6749, 7523, 8693, 8707). */
export const handler = endpoint(contract, ({ body, event }, runtime) => grantToken(runtime, body, event), {
  signingKey: signingKeyFromSecret,
  resourceKey: resourceKeyFromSecret,
  refusal,
});
