import { job } from '#lib/job';
import { relayOutbox } from '#lib/outbox/contracts';
import { publisherFromEnvironment } from '#lib/outbox/publisher';
import { sweepOutbox } from '#lib/outbox/sweep';

const publish = publisherFromEnvironment();

/**
 * Publishes the events that their own request could not publish; started every minute.
 *
 * One query where there is nothing to do.
 */
export const handler = job(relayOutbox, (_event, runtime) => sweepOutbox(runtime, publish));
