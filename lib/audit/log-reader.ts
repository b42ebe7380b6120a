import { CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { namingErrors } from '../network/aws.ts';
import { requireVariable } from '../runtime.ts';
import type { LogLine } from './audit-log.ts';

/** Milliseconds since the epoch, both inclusive. */
export interface Period {
  readonly since: number;
  readonly until: number;
}

export interface LineOfStream extends LogLine {
  readonly stream: string;
}

/** The lines of a page, and what continues after it. A page may be empty before the last one. */
export interface LinePage {
  readonly lines: readonly LineOfStream[];
  readonly next?: string | undefined;
}

/** A log group that is read. */
export interface LogReader {
  /** @param prefix of the names of streams */
  page(period: Period, prefix?: string, next?: string): Promise<LinePage>;
}

/**
 * Reads a log group of CloudWatch Logs.
 *
 * @param filterPattern of the lines; all by default
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_FilterLogEvents.html
 */
export function logReaderOf(logGroupName: string, filterPattern?: string): LogReader {
  // A page may take longer than the limits of functions allow.
  const client = namingErrors(new CloudWatchLogsClient());
  return {
    async page({ since: startTime, until: endTime }, logStreamNamePrefix, nextToken) {
      const { events = [], nextToken: next } = await client.send(
        new FilterLogEventsCommand({
          ...{ logGroupName, filterPattern, startTime, endTime, logStreamNamePrefix, nextToken },
        }),
      );
      const lines = events.map(({ logStreamName: stream = '', timestamp = 0, message = '' }) => ({
        ...{ stream, timestamp, message: message.trimEnd() },
      }));
      return { lines, next };
    },
  };
}

/** The audit log of the environment. */
export const auditLinesFromEnvironment = () => logReaderOf(requireVariable('auditLog'));

/** The audit lines in the log of functions of the environment. */
export const functionLogFromEnvironment = () =>
  logReaderOf(requireVariable('functionLog'), '{ $.level = "audit" }');
