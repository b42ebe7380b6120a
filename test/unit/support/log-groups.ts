import { beforeEach } from 'vitest';
import type { LogLine } from '#lib/audit/audit-log';
import { type Input, ServiceError } from '../../../infra/local/machine/serve-aws.ts';
import { openScriptedAws } from './scripted-aws.ts';

/** Lines of one page of FilterLogEvents. */
const PAGE = 2;

/**
 * CloudWatch Logs with one log group. Every line matches a filter pattern, since only AWS implements patterns. Call it
 * once at the top of a test file.
 */
export async function openTestLogGroup(logGroupName: string, accessKeyId = 'local') {
  const streams = new Map<string, LogLine[]>();
  const streamOf = (input: Input) => {
    const lines = streams.get(String(input['logStreamName']));
    if (input['logGroupName'] !== logGroupName || !lines)
      throw new ServiceError('ResourceNotFoundException', 'The specified log stream does not exist.');
    return lines;
  };
  const operations = {
    CreateLogStream(input: Input) {
      const name = String(input['logStreamName']);
      if (streams.has(name)) throw new ServiceError('ResourceAlreadyExistsException', 'It exists already.');
      streams.set(name, []);
      return {};
    },
    PutLogEvents(input: Input) {
      streamOf(input).push(...(input['logEvents'] as LogLine[]));
      return {};
    },
    FilterLogEvents(input: Input) {
      const since = Number(input['startTime'] ?? 0);
      const from = Number(input['nextToken'] ?? 0);
      const prefix = String(input['logStreamNamePrefix'] ?? '');
      const lines = [...streams]
        .filter(([name]) => name.startsWith(prefix))
        .flatMap(([logStreamName, all]) => all.map((line) => ({ ...line, logStreamName })))
        .filter(({ timestamp }) => timestamp >= since);
      const nextToken = from + PAGE < lines.length ? String(from + PAGE) : undefined;
      return { events: lines.slice(from, from + PAGE), nextToken };
    },
  };
  const variable = 'AWS_ENDPOINT_URL_CLOUDWATCH_LOGS';
  const service = await openScriptedAws('Logs_20140328', variable, operations, accessKeyId);
  beforeEach(() => streams.clear());
  /** Lines of a stream; undefined where there is none. */
  return { ...service, lines: (stream: string) => streams.get(stream) };
}
