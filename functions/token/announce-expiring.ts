import { job } from '#lib/handler/job';
import { publisherFromEnvironment } from '#lib/outbox/publisher';
import { announceTokens } from '#lib/token/expiring';
import { announceExpiring } from '#lib/token/jobs';

/** Publishes that API tokens expire soon. */
export const handler = job(
  announceExpiring,
  (_event, runtime, requestId) => announceTokens(runtime, requestId),
  { publish: publisherFromEnvironment },
);
