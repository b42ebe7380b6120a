import { beforeEach } from 'vitest';
import type { LogLine } from '#lib/audit/audit-log';
import { type Input, ServiceError } from '../../../infra/local/machine/serve-aws.ts';
import { openScriptedAws } from './scripted-aws.ts';

/** Lines of one page of FilterLogEvents. */
const PAGE = 2;

/**
 * CloudWatch Logs with a log group that functions write, and others that a test fills. Every line matches a filter pattern,
 * since only AWS implements patterns. Call it once at the top of a test file.
 */
export async function openTestLogGroup(logGroupName: string, accessKeyId = 'local') {
  const groups = new Map<string, Map<string, LogLine[]>>();
  const streamsOf = (group: string) => groups.get(group) ?? new Map<string, LogLine[]>();
  const streamOf = (input: Input) => {
    const lines = streamsOf(String(input['logGroupName'])).get(String(input['logStreamName']));
    if (!lines)
      throw new ServiceError('ResourceNotFoundException', 'The specified log stream does not exist.');
    return lines;
  };
  const operations = {
    CreateLogStream(input: Input) {
      const streams = streamsOf(logGroupName);
      const name = String(input['logStreamName']);
      if (streams.has(name)) throw new ServiceError('ResourceAlreadyExistsException', 'It exists already.');
      groups.set(logGroupName, streams.set(name, []));
      return {};
    },
    PutLogEvents(input: Input) {
      streamOf(input).push(...(input['logEvents'] as LogLine[]));
      return {};
    },
    FilterLogEvents(input: Input) {
      const since = Number(input['startTime'] ?? 0);
      const until = Number(input['endTime'] ?? Number.POSITIVE_INFINITY);
      const from = Number(input['nextToken'] ?? 0);
      const prefix = String(input['logStreamNamePrefix'] ?? '');
      const lines = [...streamsOf(String(input['logGroupName']))]
        .filter(([name]) => name.startsWith(prefix))
        .flatMap(([logStreamName, all]) => all.map((line) => ({ ...line, logStreamName })))
        .filter(({ timestamp }) => timestamp >= since && timestamp <= until);
      const nextToken = from + PAGE < lines.length ? String(from + PAGE) : undefined;
      return { events: lines.slice(from, from + PAGE), nextToken };
    },
  };
  const variable = 'AWS_ENDPOINT_URL_CLOUDWATCH_LOGS';
  const service = await openScriptedAws('Logs_20140328', variable, operations, accessKeyId);
  beforeEach(() => groups.clear());
  return {
    ...service,
    /** Lines of a stream; undefined where there is none. */
    lines: (stream: string) => streamsOf(logGroupName).get(stream),
    /** Fills a stream of a log group. */
    fill(group: string, stream: string, lines: readonly LogLine[]) {
      groups.set(group, streamsOf(group).set(stream, [...lines]));
    },
  };
}
