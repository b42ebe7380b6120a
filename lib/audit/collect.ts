import { gunzipSync } from 'node:zlib';
import type { CloudWatchLogsDecodedData, CloudWatchLogsEvent } from 'aws-lambda';
import { log } from '../log/log.ts';
import type { HashName } from '../pseudonym/name-hash.ts';
import type { Runtime } from '../runtime.ts';
import type { AuditLog } from './audit-log.ts';
import { REFUSED, storeEntries } from './store.ts';
import { functionOf, isOwnLine, VERIFIED } from './streams.ts';

/** Lines of one log group as gzip in base64. */
export type SubscriptionEvent = CloudWatchLogsEvent;

/**
 * Copies the audit lines of functions unchanged to the audit log, then their entries to the table. A line is left out, with a
 * warning, unless the function of its stream may have written it. Lines that come from the audit log itself, as those of
 * operators, are copied to the table only. After a failure the same lines are sent again: the log may contain a line
 * twice, the table has it once.
 *
 * @returns the number of lines
 */
export async function collectLines(
  {
    auditLog,
    ...runtime
  }: Pick<Runtime, 'table' | 'now' | 'settings' | 'instanceName'> & {
    readonly auditLog: AuditLog;
    readonly hashName?: HashName;
  },
  { awslogs }: SubscriptionEvent,
): Promise<number> {
  const json = gunzipSync(Buffer.from(awslogs.data, 'base64')).toString();
  const { messageType, logGroup, logStream, logEvents } = JSON.parse(json) as CloudWatchLogsDecodedData;
  // A `CONTROL_MESSAGE` tests whether the subscription is reachable.
  if (messageType !== 'DATA_MESSAGE') return 0;
  const all = logEvents.map(({ timestamp, message }) => ({ timestamp, message: message.trimEnd() }));
  const isCopy = logGroup === auditLog.logGroupName;
  const writer = isCopy ? undefined : functionOf(runtime.instanceName, logStream);
  const lines = isCopy ? all : all.filter(({ message }) => isOwnLine(writer, message));
  const refused = all.length - lines.length;
  if (refused > 0) log('warn', { message: REFUSED, count: refused, logStream });
  if (!isCopy) await auditLog.append(lines);
  const texts = lines.map(({ message }) => message);
  await storeEntries(runtime, isCopy ? logStream : VERIFIED, texts, logStream);
  return all.length;
}
