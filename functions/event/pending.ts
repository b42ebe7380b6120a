import { endpoint } from '#lib/handler/endpoint';
import { pending } from '#lib/outbox/contracts';
import { listPending } from '#lib/outbox/outbox';

/** Lists the events that are not published yet, oldest first. */
export const handler = endpoint(pending, ({ query }, runtime) => listPending(runtime, query));
