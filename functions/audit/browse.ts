import { browseAudit } from '#lib/audit/browse';
import { browse } from '#lib/audit/contracts';
import { endpoint } from '#lib/handler/endpoint';

/** Lists the entries of the audit log, newest first. */
export const handler = endpoint(browse, ({ query }, runtime) => browseAudit(runtime, query));
