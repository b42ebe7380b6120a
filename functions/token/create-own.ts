import { endpoint } from '#lib/handler/endpoint';
import { stepUp } from '#lib/http/step-up';
import { publisherFromEnvironment } from '#lib/outbox/publisher';
import { createRequested } from '#lib/token/create-once';
import { contract } from '#lib/token/create-own.contract';

/** Creates a token for the caller and answers its secret, only this time. */
export const handler = endpoint(
  contract,
  ({ caller, ...request }, runtime) => createRequested(runtime, caller, request),
  { publish: publisherFromEnvironment, stepUp },
);
