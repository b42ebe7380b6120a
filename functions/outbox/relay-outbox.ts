import { job } from '#lib/handler/job';
import { relayOutbox } from '#lib/outbox/jobs';
import { publisherFromEnvironment } from '#lib/outbox/publisher';
import { relayEvents } from '#lib/outbox/relay';

/** Publishes events that their requests could not publish; runs every minute. */
export const handler = job(relayOutbox, (_event, runtime) => relayEvents(runtime), {
  publish: publisherFromEnvironment,
});
