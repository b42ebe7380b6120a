import { job } from '#lib/handler/job';
import { issuersFromEnvironment } from '#lib/trust/issuers';
import { refreshKeys } from '#lib/trust/jobs';
import { refreshAll } from '#lib/trust/refresh-all';

/** Fetches the keys of all issuers, so that a login finds those that are new. */
export const handler = job(refreshKeys, (_event, runtime) =>
  refreshAll(runtime, issuersFromEnvironment(runtime.settings)),
);
