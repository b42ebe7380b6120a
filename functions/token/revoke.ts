import { endpoint } from '#lib/handler/endpoint';
import { publisherFromEnvironment } from '#lib/outbox/publisher';
import { revokeAllTokens } from '#lib/token/revoke';
import { contract } from '#lib/token/revoke.contract';

/** Deletes all tokens of an account: requests with them are refused from then on. */
export const handler = endpoint(
  contract,
  ({ actor, accounts: [owner], limits }, runtime) => revokeAllTokens(runtime, owner, actor, limits),
  { publish: publisherFromEnvironment },
);
