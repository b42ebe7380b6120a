import { endpoint } from '#lib/handler/endpoint';
import { listPending } from '#lib/outbox/outbox';
import { contract } from '#lib/outbox/pending.contract';

/** Lists the events that are not published yet, oldest first. */
export const handler = endpoint(contract, ({ query }, runtime) => listPending(runtime, query));
