import { appendFile, readFile } from 'node:fs/promises';
import { FUNCTIONS, streamOf, VERIFIED } from '#lib/audit/streams';
import { NAMES } from '../machine/resource-names.ts';
import { type Input, ServiceError, serveAwsJson } from '../machine/serve-aws.ts';

/** The files with audit lines: the log of functions, and those of the audit log. */
interface Files {
  readonly log: string;
  readonly audit: string;
  readonly formerAudit: string;
  readonly operators: string;
}

/** Lines of a page. */
const PAGE = 1000;

/**
 * Starts the part of CloudWatch Logs that `audit.refill` uses, on the files of a data directory: audit lines of functions and
 * of operators are read, and those of functions are added. The table may count a refusal twice, since its lines come from the
 * audit log, without the streams of functions.
 *
 * @param user user of the operating system who runs the instance
 */
export const startLogs = (files: Files, user: string, accessKeyId: string) =>
  serveAwsJson(
    'Logs_20140328',
    {
      async FilterLogEvents(input: Input) {
        const from = Number(input['nextToken'] ?? 0);
        const found = (await linesOf(String(input['logGroupName']), files, user)).filter(
          ({ logStreamName, timestamp }) =>
            logStreamName.startsWith(String(input['logStreamNamePrefix'] ?? '')) &&
            timestamp >= Number(input['startTime'] ?? 0) &&
            timestamp <= Number(input['endTime'] ?? Number.POSITIVE_INFINITY),
        );
        const next = from + PAGE;
        return {
          events: found.slice(from, next),
          ...(next < found.length && { nextToken: String(next) }),
        };
      },
      async PutLogEvents({ logGroupName, logStreamName, logEvents }: Input) {
        if (logGroupName !== NAMES.auditLog || logStreamName !== VERIFIED)
          throw new ServiceError('ResourceNotFoundException', 'The specified log stream does not exist.');
        const lines = (logEvents as readonly { readonly message: string }[]).map(({ message }) => message);
        await appendFile(files.audit, lines.map((line) => `${line}\n`).join(''), { mode: 0o600 });
        return {};
      },
    },
    accessKeyId,
  );

/** The audit lines of a log group, each in its stream. */
async function linesOf(group: string, files: Files, user: string) {
  if (group === NAMES.functionLog)
    // The log takes an audit line only from the function of its action, and no stream is recorded.
    return linesIn(files.log, (action) => `2026/11/20/${NAMES.instance}-${action.replace('.', '-')}[local]`);
  const streams = [
    linesIn(files.formerAudit, () => FUNCTIONS),
    linesIn(files.audit, () => VERIFIED),
    linesIn(files.operators, () => streamOf(user)),
  ];
  return (await Promise.all(streams)).flat();
}

async function linesIn(path: string, streamOfAction: (action: string) => string) {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return text.split('\n').flatMap((message) => {
    if (!message.startsWith('{"level":"audit"')) return [];
    try {
      const { time, action } = JSON.parse(message) as { readonly time: string; readonly action: string };
      return [{ message, timestamp: Date.parse(time), logStreamName: streamOfAction(action) }];
    } catch {
      // A line that was cut off, as by a full disk.
      return [];
    }
  });
}
