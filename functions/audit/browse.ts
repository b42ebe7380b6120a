import { browseAudit } from '#lib/audit/browse';
import { browse } from '#lib/audit/contracts';
import { endpoint } from '#lib/handler/endpoint';

/**
 * Lists the entries of the audit log, newest first.
 *
 * One round of parallel queries for each month of the page, or one query for the entries of a target.
 */
export const handler = endpoint(browse, ({ query }, runtime) => browseAudit(runtime, query));
