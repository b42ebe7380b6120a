import { endpoint } from '#lib/function/endpoint';
import { publisherFromEnvironment } from '#lib/outbox/publisher';
import { create } from '#lib/token/contracts';
import { createToken } from '#lib/token/create';

/**
 * Creates a token for an account and answers its secret, this once.
 *
 * One transaction after authentication.
 */
export const handler = endpoint(
  create,
  ({ actor, accounts: [owner], params }, runtime) => createToken(runtime, owner, params.token_name, actor),
  { publish: publisherFromEnvironment },
);
