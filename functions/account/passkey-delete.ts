import { endpoint } from '#lib/handler/endpoint';
import { stepUp } from '#lib/http/step-up';
import { publisherFromEnvironment } from '#lib/outbox/publisher';
import { removePasskey } from '#lib/passkey/delete';
import { contract } from '#lib/passkey/passkey-delete.contract';

/** Removes a passkey of the caller; administrators may name another account. */
export const handler = endpoint(
  contract,
  ({ actor, accounts: [target], params, limits }, runtime) =>
    removePasskey(runtime, target, params.passkey_name, actor, { limits }),
  { publish: publisherFromEnvironment, stepUp },
);
