import { endpoint } from '#lib/handler/endpoint';
import { changePassword } from '#lib/login/change-password';
import { contract } from '#lib/login/password.contract';
import { publisherFromEnvironment } from '#lib/outbox/publisher';
import { signingKeyFromSecret } from '#lib/session/signing-key';

/** Sets the password of the caller or of the holder of a one-time code, and answers with a new session. */
export const handler = endpoint(
  contract,
  ({ caller, limits, body, event }, runtime) => changePassword(runtime, caller, limits, body, event),
  { publish: publisherFromEnvironment, signingKey: signingKeyFromSecret },
);
