import { endpoint } from '#lib/handler/endpoint';
import { assertPasskey } from '#lib/passkey/assert';
import { contract } from '#lib/passkey/passkey-assert.contract';
import { signingKeyFromSecret } from '#lib/session/signing-key';

/** Exchanges an assertion of a passkey for a session that it has confirmed. */
export const handler = endpoint(contract, ({ body, event }, runtime) => assertPasskey(runtime, body, event), {
  signingKey: signingKeyFromSecret,
});
