import { gunzipSync } from 'node:zlib';
import type { AuditLog, LogLine } from './audit-log.ts';

/** Event of a subscription of CloudWatch Logs: lines of one log group as gzip in base64. */
export interface SubscriptionEvent {
  readonly awslogs: { readonly data: string };
}

interface Message {
  /** `CONTROL_MESSAGE` tests whether the subscription is reachable. */
  readonly messageType: 'DATA_MESSAGE' | 'CONTROL_MESSAGE';
  readonly logEvents: readonly LogLine[];
}

/**
 * Copies audit lines unchanged to the audit log. After a failure the same lines are sent again, so the log may contain a
 * line twice.
 *
 * @returns the number of lines
 */
export async function collectLines(auditLog: AuditLog, { awslogs }: SubscriptionEvent): Promise<number> {
  const message = JSON.parse(gunzipSync(Buffer.from(awslogs.data, 'base64')).toString()) as Message;
  if (message.messageType !== 'DATA_MESSAGE') return 0;
  const lines = message.logEvents.map(({ timestamp, message: text }) => ({
    timestamp,
    message: text.trimEnd(),
  }));
  await auditLog(lines);
  return lines.length;
}
