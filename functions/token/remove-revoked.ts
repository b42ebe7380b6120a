import { job } from '#lib/handler/job';
import { publisherFromEnvironment } from '#lib/outbox/publisher';
import { removeRevokedTokens } from '#lib/token/jobs';
import { removeLeft } from '#lib/token/remove-revoked';

/** Removes the items of revoked tokens that requests have left, and publishes the event of each. */
export const handler = job(
  removeRevokedTokens,
  (_event, runtime, requestId) => removeLeft(runtime, requestId),
  {
    publish: publisherFromEnvironment,
  },
);
