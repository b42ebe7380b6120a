import { endpoint } from '#lib/handler/endpoint';
import { stepUp } from '#lib/http/step-up';
import { publisherFromEnvironment } from '#lib/outbox/publisher';
import { rotateRequested } from '#lib/token/rotate';
import { contract } from '#lib/token/rotate.contract';

/** Replaces the secret of a token and answers the new one, only this time. */
export const handler = endpoint(
  contract,
  ({ accounts: [owner], ...request }, runtime) => rotateRequested(runtime, owner, request),
  { publish: publisherFromEnvironment, stepUp },
);
