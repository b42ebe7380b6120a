import { afterAll, beforeEach, vi } from 'vitest';
import type { LogLine } from '#lib/audit/audit-log';
import { type Input, ServiceError, serveAwsJson } from '../../../infra/local/machine/serve-aws.ts';

/** Decides the answer to a call, or throws a ServiceError; undefined lets the log group answer. */
export type LogScript = (operation: string, input: Input) => object | undefined;

/** Lines of one page of FilterLogEvents. */
const PAGE = 2;

/**
 * CloudWatch Logs with one log group, which this process reaches as functions and operators do. A filter pattern lets
 * every line pass: what it means only AWS knows. To be called once at the top of a test file.
 */
export async function openTestLogGroup(logGroupName: string, accessKeyId = 'local') {
  const calls: { readonly operation: string; readonly input: Input }[] = [];
  const streams = new Map<string, LogLine[]>();
  let script: LogScript = () => undefined;
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
      const lines = [...streams.values()].flat().filter(({ timestamp }) => timestamp >= since);
      const nextToken = from + PAGE < lines.length ? String(from + PAGE) : undefined;
      return { events: lines.slice(from, from + PAGE), nextToken };
    },
  };
  const service = await serveAwsJson(
    'Logs_20140328',
    Object.fromEntries(
      Object.entries(operations).map(([operation, run]) => [
        operation,
        (input: Input) => {
          calls.push({ operation, input });
          return script(operation, input) ?? run(input);
        },
      ]),
    ),
    accessKeyId,
  );
  vi.stubEnv('AWS_ENDPOINT_URL_CLOUDWATCH_LOGS', service.url);
  beforeEach(() => {
    script = () => undefined;
    calls.length = 0;
    streams.clear();
  });
  afterAll(() => service.close());

  return {
    url: service.url,
    calls,
    /** From now on this decides. */
    script(next: LogScript) {
      script = next;
    },
    operations: () => calls.map(({ operation }) => operation),
    /** Lines of a stream; undefined where there is none. */
    lines: (stream: string) => streams.get(stream),
  };
}
