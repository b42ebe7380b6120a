import { endpoint } from '#lib/handler/endpoint';
import { passkeyOptions } from '#lib/passkey/options';
import { contract } from '#lib/passkey/passkey-options.contract';

/** Answers the options of a browser for a new passkey, or for an assertion. */
export const handler = endpoint(contract, ({ caller, session, body }, runtime) =>
  passkeyOptions(runtime, caller, session, body),
);
