import { job } from '#lib/handler/job';
import { relayOutbox } from '#lib/outbox/jobs';
import { publisherFromEnvironment } from '#lib/outbox/publisher';
import { relayEvents } from '#lib/outbox/relay';

/**
 * Publishes the events that their own request could not publish; started every minute.
 *
 * One query where there is nothing to do.
 */
export const handler = job(relayOutbox, (_event, runtime) => relayEvents(runtime), {
  publish: publisherFromEnvironment,
});
