import { gunzipSync } from 'node:zlib';
import type { CloudWatchLogsDecodedData, CloudWatchLogsEvent } from 'aws-lambda';
import { log } from '../log/log.ts';
import type { HashName } from '../pseudonym/name-hash.ts';
import type { Runtime } from '../runtime.ts';
import type { AuditLog, LogLine } from './audit-log.ts';
import { ARRIVED, isHeartbeat } from './heartbeat.ts';
import { collectAudit } from './jobs.ts';
import { REFUSED, storeEntries } from './store.ts';
import { functionOf, isOwnLine, VERIFIED } from './streams.ts';

/** Lines of one log group as gzip in base64. */
export type SubscriptionEvent = CloudWatchLogsEvent;

/** What collecting lines needs. */
export type Collecting = Pick<Runtime, 'table' | 'now' | 'settings' | 'instanceName'> & {
  readonly auditLog: AuditLog;
  readonly hashName?: HashName;
};

/**
 * Copies the audit lines of functions unchanged to the audit log, then their entries to the table. A line is left out, with a
 * warning, unless the function of its stream may have written it. Lines that come from the audit log itself, as those of
 * operators, are copied to the table only. After a failure the same lines are sent again: the log may contain a line
 * twice, the table has it once. A heartbeat is only logged.
 *
 * @returns the number of lines
 */
export async function collectLines(
  { auditLog, ...runtime }: Collecting,
  { awslogs }: SubscriptionEvent,
): Promise<number> {
  const json = gunzipSync(Buffer.from(awslogs.data, 'base64')).toString();
  const { messageType, logGroup, logStream, logEvents } = JSON.parse(json) as CloudWatchLogsDecodedData;
  // A `CONTROL_MESSAGE` tests whether the subscription is reachable.
  if (messageType !== 'DATA_MESSAGE') return 0;
  const all = logEvents.map(({ timestamp, message }) => ({ timestamp, message: message.trimEnd() }));
  if (logGroup === auditLog.logGroupName) {
    await storeEntries(runtime, logStream, textsOf(all));
    return all.length;
  }
  const own = ownLines(runtime, logStream, all);
  const [beats = [], lines = []] = [true, false].map((is) =>
    own.filter(({ message }) => isHeartbeat(message) === is),
  );
  for (const { timestamp } of beats) {
    const auditAgeSeconds = Math.max(0, Math.round((runtime.now() - timestamp) / 1000));
    log('info', { function: collectAudit.id, message: ARRIVED, auditAgeSeconds });
  }
  await auditLog.append(lines);
  await storeEntries(runtime, VERIFIED, textsOf(lines), logStream);
  return all.length;
}

/** The lines of a stream that its function may have written. The others are counted in a warning. */
export function ownLines(
  { instanceName }: Pick<Runtime, 'instanceName'>,
  logStream: string,
  all: readonly LogLine[],
): LogLine[] {
  const writer = functionOf(instanceName, logStream);
  const lines = all.filter(({ message }) => isOwnLine(writer, message));
  const refused = all.length - lines.length;
  if (refused > 0) log('warn', { message: REFUSED, count: refused, logStream });
  return lines;
}

export const textsOf = (lines: readonly LogLine[]) => lines.map(({ message }) => message);
