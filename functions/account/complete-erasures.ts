import { completeErasures } from '#lib/erasure/complete';
import { completeErasures as definition } from '#lib/erasure/jobs';
import { job } from '#lib/handler/job';
import { publisherFromEnvironment } from '#lib/outbox/publisher';

/** Removes what erasures have left, until nothing names the erased accounts. */
export const handler = job(definition, (_event, runtime, requestId) => completeErasures(runtime, requestId), {
  publish: publisherFromEnvironment,
});
