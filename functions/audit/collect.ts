import { auditLogFromEnvironment } from '#lib/audit/audit-log';
import { collectLines, type SubscriptionEvent } from '#lib/audit/collect';
import { collectAudit } from '#lib/audit/jobs';
import { jobWithoutTable } from '#lib/handler/job';

/** Copies the audit lines of all functions to the audit log; started by the subscriptions of their log groups. */
export const handler = jobWithoutTable(
  collectAudit,
  (event: SubscriptionEvent, { auditLog }) => collectLines(auditLog, event),
  { auditLog: auditLogFromEnvironment },
);
