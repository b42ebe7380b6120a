import { gunzipSync } from 'node:zlib';
import type { AuditLog, LogLine } from './audit-log.ts';

/** What a subscription of CloudWatch Logs sends: lines of one log group, as gzip in base64. */
export interface SubscriptionEvent {
  readonly awslogs: { readonly data: string };
}

interface Message {
  /** `CONTROL_MESSAGE` is sent to see whether anybody listens. */
  readonly messageType: 'DATA_MESSAGE' | 'CONTROL_MESSAGE';
  readonly logEvents: readonly LogLine[];
}

/**
 * Copies audit lines, as they are, to the audit log. A failure has the same lines sent again, so that a line may
 * stand there twice.
 *
 * @returns how many there were
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
