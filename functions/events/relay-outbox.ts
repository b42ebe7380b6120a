import { job } from '#lib/job';
import { sweep } from '#lib/outbox/contracts';
import { publisherFromEnvironment } from '#lib/outbox/publisher';
import { sweepOutbox } from '#lib/outbox/sweep';

const publish = publisherFromEnvironment();

/**
 * Publishes the events that their own request could not publish; started every minute.
 *
 * One query where there is nothing to do.
 */
export const handler = job(sweep, (_event, runtime) => sweepOutbox(runtime, publish));
