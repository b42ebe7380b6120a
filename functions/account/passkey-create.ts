import { endpoint } from '#lib/handler/endpoint';
import { publisherFromEnvironment } from '#lib/outbox/publisher';
import { createPasskey } from '#lib/passkey/create';
import { contract } from '#lib/passkey/passkey-create.contract';

/** Stores a new passkey of the caller. */
export const handler = endpoint(
  contract,
  ({ caller, session, actor, params, body }, runtime) =>
    createPasskey(runtime, caller, session, params.passkey_name, body.credential, actor),
  { publish: publisherFromEnvironment },
);
