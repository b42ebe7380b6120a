import { endpoint } from '#lib/handler/endpoint';
import { stepUp } from '#lib/http/step-up';
import { publisherFromEnvironment } from '#lib/outbox/publisher';
import { contract } from '#lib/token/create.contract';
import { createRequested } from '#lib/token/create-once';

/** Creates a token for an account and answers its secret, only this time. */
export const handler = endpoint(
  contract,
  ({ accounts: [owner], ...request }, runtime) => createRequested(runtime, owner, request),
  { publish: publisherFromEnvironment, stepUp },
);
