import { auditLogFromEnvironment } from '#lib/audit/audit-log';
import { collectLines, type SubscriptionEvent } from '#lib/audit/collect';
import { collectAudit } from '#lib/audit/jobs';
import { job } from '#lib/handler/job';
import { nameHashFromEnvironment } from '#lib/pseudonym/name-hash';

/** Copies the audit lines of all functions to the audit log and the table; started by the subscriptions of log groups. */
export const handler = job(
  collectAudit,
  (event: SubscriptionEvent, runtime) => collectLines(runtime, event),
  { auditLog: auditLogFromEnvironment, hashName: nameHashFromEnvironment },
);
