import { endpoint } from '#lib/handler/endpoint';
import { publisherFromEnvironment } from '#lib/outbox/publisher';
import { createOwn } from '#lib/token/contracts';
import { createRequested } from '#lib/token/create-once';

/** Creates a token for the caller and answers its secret, only this time. */
export const handler = endpoint(
  createOwn,
  ({ caller, ...request }, runtime) => createRequested(runtime, caller, request),
  { publish: publisherFromEnvironment },
);
