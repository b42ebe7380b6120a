import { endpoint } from '#lib/handler/endpoint';
import { publisherFromEnvironment } from '#lib/outbox/publisher';
import { rotate } from '#lib/token/contracts';
import { rotateRequested } from '#lib/token/rotate';

/** Replaces the secret of a token and answers the new one, only this time. */
export const handler = endpoint(
  rotate,
  ({ accounts: [owner], ...request }, runtime) => rotateRequested(runtime, owner, request),
  { publish: publisherFromEnvironment },
);
