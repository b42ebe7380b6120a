import { endpoint } from '#lib/handler/endpoint';
import { publisherFromEnvironment } from '#lib/outbox/publisher';
import { remove } from '#lib/token/contracts';
import { deleteToken } from '#lib/token/delete';

/** Deletes a token: requests with it are refused from then on. */
export const handler = endpoint(
  remove,
  ({ actor, accounts: [owner], params }, runtime) => deleteToken(runtime, owner, params.token_name, actor),
  { publish: publisherFromEnvironment },
);
