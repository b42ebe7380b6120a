import { job } from '#lib/handler/job';
import { relayOutbox } from '#lib/outbox/jobs';
import { isPublishRequest, publishNow } from '#lib/outbox/publish-now';
import { publisherFromEnvironment } from '#lib/outbox/publisher';
import { relayEvents } from '#lib/outbox/relay';

/** Publishes events that their requests could not publish, every minute; events of operator commands on request. */
export const handler = job(
  relayOutbox,
  async (event: object, runtime): Promise<object> =>
    isPublishRequest(event) ? publishNow(runtime, event) : relayEvents(runtime),
  { publish: publisherFromEnvironment },
);
