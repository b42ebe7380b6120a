import { endpoint } from '#lib/handler/endpoint';
import { publisherFromEnvironment } from '#lib/outbox/publisher';
import { create } from '#lib/token/contracts';
import { createRequested } from '#lib/token/create-once';

/** Creates a token for an account and answers its secret, only this time. */
export const handler = endpoint(
  create,
  ({ accounts: [owner], ...request }, runtime) => createRequested(runtime, owner, request),
  { publish: publisherFromEnvironment },
);
