import { endpoint } from '#lib/handler/endpoint';
import { publisherFromEnvironment } from '#lib/outbox/publisher';
import { revoke } from '#lib/token/contracts';
import { revokeAllTokens } from '#lib/token/revoke';

/** Deletes all tokens of an account: requests with them are refused from then on. */
export const handler = endpoint(
  revoke,
  ({ actor, accounts: [owner], secret }, runtime) => revokeAllTokens(runtime, owner, actor, secret),
  { publish: publisherFromEnvironment },
);
