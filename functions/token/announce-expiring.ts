import { job } from '#lib/handler/job';
import { publisherFromEnvironment } from '#lib/outbox/publisher';
import { announceTokens } from '#lib/token/expiring';
import { announceExpiring } from '#lib/token/jobs';

/**
 * Publishes that API tokens expire in 14 or 3 days; runs every hour.
 *
 * 15 queries, one for each day of the calendar, if no token is due; none if the event is not published.
 */
export const handler = job(
  announceExpiring,
  (_event, runtime, requestId) => announceTokens(runtime, requestId),
  { publish: publisherFromEnvironment },
);
