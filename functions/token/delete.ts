import { endpoint } from '#lib/handler/endpoint';
import { publisherFromEnvironment } from '#lib/outbox/publisher';
import { deleteToken } from '#lib/token/delete';
import { contract } from '#lib/token/delete.contract';

/** Deletes a token: requests with it are refused from then on. */
export const handler = endpoint(
  contract,
  ({ actor, accounts: [owner], params, limits }, runtime) =>
    deleteToken(runtime, owner, params.token_name, actor, undefined, limits),
  { publish: publisherFromEnvironment },
);
