import { browseAudit } from '#lib/audit/browse';
import { contract } from '#lib/audit/browse.contract';
import { endpoint } from '#lib/handler/endpoint';

/** Lists the entries of the audit log, newest first. */
export const handler = endpoint(contract, ({ query }, runtime) => browseAudit(runtime, query));
