import { gunzipSync } from 'node:zlib';
import type { CloudWatchLogsDecodedData, CloudWatchLogsEvent } from 'aws-lambda';
import type { HashName } from '../pseudonym/name-hash.ts';
import type { Runtime } from '../runtime.ts';
import type { AuditLog } from './audit-log.ts';
import { storeEntries } from './store.ts';
import { FUNCTIONS } from './streams.ts';

/** Lines of one log group as gzip in base64. */
export type SubscriptionEvent = CloudWatchLogsEvent;

/**
 * Copies audit lines unchanged to the audit log, then their entries to the table. Lines that come from the audit log
 * itself, as those of operators, are copied to the table only. After a failure the same lines are sent again: the log may
 * contain a line twice, the table has it once.
 *
 * @returns the number of lines
 */
export async function collectLines(
  {
    auditLog,
    ...runtime
  }: Pick<Runtime, 'table' | 'now' | 'settings'> & {
    readonly auditLog: AuditLog;
    readonly hashName?: HashName;
  },
  { awslogs }: SubscriptionEvent,
): Promise<number> {
  const json = gunzipSync(Buffer.from(awslogs.data, 'base64')).toString();
  const message = JSON.parse(json) as CloudWatchLogsDecodedData;
  // A `CONTROL_MESSAGE` tests whether the subscription is reachable.
  if (message.messageType !== 'DATA_MESSAGE') return 0;
  const lines = message.logEvents.map(({ timestamp, message: text }) => ({
    timestamp,
    message: text.trimEnd(),
  }));
  const isCopy = message.logGroup === auditLog.logGroupName;
  if (!isCopy) await auditLog.append(lines);
  const texts = lines.map((line) => line.message);
  await storeEntries(runtime, isCopy ? message.logStream : FUNCTIONS, texts);
  return lines.length;
}
