import { auditLogFromEnvironment } from '#lib/audit/audit-log';
import { refillAudit } from '#lib/audit/jobs';
import { auditLinesFromEnvironment, functionLogFromEnvironment } from '#lib/audit/log-reader';
import { type RefillRequest, refill } from '#lib/audit/refill';
import { job } from '#lib/handler/job';
import { nameHashFromEnvironment } from '#lib/pseudonym/name-hash';

/** Adds lines that did not reach the audit log; invoked by `admin audit refill`. */
export const handler = job(refillAudit, (request: RefillRequest, runtime) => refill(runtime, request), {
  auditLog: auditLogFromEnvironment,
  auditLines: auditLinesFromEnvironment,
  functionLog: functionLogFromEnvironment,
  hashName: nameHashFromEnvironment,
});
