import {
  CloudWatchLogsClient,
  CreateLogStreamCommand,
  PutLogEventsCommand,
  ResourceAlreadyExistsException,
  ResourceNotFoundException,
} from '@aws-sdk/client-cloudwatch-logs';
import { CLIENT_LIMITS, namingErrors } from '../network/aws.ts';
import { requireVariable } from '../runtime.ts';
import { DAY_MS } from '../time.ts';
import { VERIFIED } from './streams.ts';

/** One line of a log group: `timestamp` in milliseconds since the epoch. */
export interface LogLine {
  readonly timestamp: number;
  readonly message: string;
}

/** A stream of the audit log. */
export interface AuditLog {
  readonly logGroupName: string;
  /** Appends lines. @throws Error unless all lines are stored; some may be stored then. */
  append(lines: readonly LogLine[]): Promise<void>;
}

/** Limits of one PutLogEvents, which counts 26 bytes for each line in addition to its UTF-8, and takes lines of one day. */
const MAX_BYTES = 1_048_576;
const MAX_LINES = 10_000;
const BYTES_MORE = 26;
const MAX_SPAN_MS = DAY_MS;

/** Opens CloudWatch Logs with the credentials, region and endpoint of the environment. */
export const openLogs = () => namingErrors(new CloudWatchLogsClient(CLIENT_LIMITS));

/**
 * Opens a stream of a log group. The first write creates it, and several writers may use it in parallel.
 *
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutLogEvents.html
 */
export function auditLogTo(
  client: CloudWatchLogsClient,
  logGroupName: string,
  logStreamName: string,
): AuditLog {
  const name = { logGroupName, logStreamName };
  const put = async (logEvents: LogLine[]) => {
    const { rejectedLogEventsInfo: rejected } = await client.send(
      new PutLogEventsCommand({ ...name, logEvents }),
    );
    if (rejected) throw new Error(`Audit lines were rejected: ${JSON.stringify(rejected)}`);
  };
  const makeStream = () =>
    client.send(new CreateLogStreamCommand(name)).catch((error) => {
      if (!(error instanceof ResourceAlreadyExistsException)) throw error;
    });

  return {
    logGroupName,
    async append(lines) {
      for (const batch of batches(lines))
        await put(batch).catch(async (error) => {
          if (!(error instanceof ResourceNotFoundException)) throw error;
          await makeStream();
          await put(batch);
        });
    },
  };
}

/** The lines in the order of their times, in as few calls as possible. */
export function batches(lines: readonly LogLine[]): LogLine[][] {
  const all: LogLine[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const line of lines.toSorted((one, other) => one.timestamp - other.timestamp)) {
    const more = Buffer.byteLength(line.message) + BYTES_MORE;
    const { 0: first = line, length = 0 } = all.at(-1) ?? [];
    if (bytes + more > MAX_BYTES || length >= MAX_LINES || line.timestamp - first.timestamp > MAX_SPAN_MS) {
      all.push([]);
      bytes = 0;
    }
    all.at(-1)?.push(line);
    bytes += more;
  }
  return all;
}

/** The audit log of the environment, in the stream of checked lines. */
export const auditLogFromEnvironment = () => auditLogTo(openLogs(), requireVariable('auditLog'), VERIFIED);
