import { appendFile, readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { CloudWatchLogsClient, paginateFilterLogEvents } from '@aws-sdk/client-cloudwatch-logs';
import { v7 as uuidv7 } from 'uuid';
import { isLike } from '#infra/policy';
import { auditLogTo, openLogs } from '#lib/audit/audit-log';
import { readLine } from '#lib/audit/line';
import { withoutEndedStarts } from '#lib/audit/starts';
import type { Actor } from '#lib/event/event';
import type { AuditEntry, AuditLine } from '#lib/item/audit-entry';
import { foldCase } from '#lib/text/fold-case';

export interface AuditTrail {
  write(...entries: readonly AuditLine[]): Promise<void>;
  /** The entries that meet a filter, oldest first. */
  read(filter: AuditFilter): Promise<AuditEntry[]>;
}

const line = (entry: AuditLine) => JSON.stringify({ level: 'audit', ...entry });

/** The audit log of a local instance, with the entries of its functions. */
export const trailInFile = (path: string): AuditTrail => ({
  write: (...entries) =>
    appendFile(path, entries.map((entry) => `${line(entry)}\n`).join(''), { mode: 0o600 }),
  async read(filter) {
    const text = await readFile(path, 'utf8').catch((error) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
      throw error;
    });
    return entriesOf(text.split('\n'), filter);
  },
});

/** The audit log of a stack; operator commands write to a stream of their own. */
export function trailInLogGroup(logGroupName: string): AuditTrail {
  const log = auditLogTo(openLogs(), logGroupName, 'operators');
  // Default limits of the SDK: a page of a year may take longer than the limits of functions allow.
  const client = new CloudWatchLogsClient();
  return {
    write: (...entries) =>
      log.append(entries.map((entry) => ({ timestamp: Date.parse(entry.time), message: line(entry) }))),
    async read(filter) {
      const { since: startTime, until: endTime } = filter;
      const asked = { logGroupName, startTime, endTime, filterPattern: patternOf(filter) };
      const lines: string[] = [];
      for await (const { events = [] } of paginateFilterLogEvents({ client }, asked))
        lines.push(...events.map(({ message = '' }) => message));
      return entriesOf(lines, filter);
    },
  };
}

/** A line that was collected twice is one entry; a line that was cut off, as by a full disk, is dropped. */
function entriesOf(lines: readonly string[], filter: AuditFilter): AuditEntry[] {
  const found = [...new Set(lines)]
    .flatMap((text) => readLine(text)?.entry ?? [])
    .filter((entry) => matches(entry, filter))
    .sort((one, other) => Date.parse(one.time) - Date.parse(other.time));
  return withoutEndedStarts(found);
}

/** The user of the operating system, and an id for the events and the audit line of a command. */
export const operator = (): Actor => ({ by: `operator:${foldCase(user())}`, requestId: uuidv7() });

/** In a container the user may have a number only. */
function user(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.());
  }
}

/** Conditions on entries of the audit log; an entry meets all that are given. */
export interface AuditFilter {
  /** An account and its tokens, a token as `name@username`, or the ID of a key. */
  readonly target?: string | undefined;
  /** An account, or an ARN; `operator` is every operator. */
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly outcome?: string | undefined;
  readonly source?: string | undefined;
  /** A role that was added or removed. */
  readonly role?: string | undefined;
  /** Milliseconds since the epoch, both inclusive. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

const FIELDS = ['target', 'actor', 'action', 'outcome', 'source'] as const;

const PATTERNS: Readonly<Record<string, (name: string) => readonly string[]>> = {
  // An account and its tokens, or a key, whose ID has capitals.
  target: (name) => [foldCase(name), name, `*@${foldCase(name)}`],
  actor: (name) => (name === 'operator' ? [name, 'operator:*', 'arn:*'] : [foldCase(name), name]),
};

/** The fields that a filter names, each with its patterns, in which `*` is any text: an entry matches one of them. */
const patternsOf = (filter: AuditFilter) =>
  FIELDS.flatMap((field) => {
    const name = filter[field];
    return name === undefined ? [] : [{ field, patterns: new Set(PATTERNS[field]?.(name) ?? [name]) }];
  });

/** An email address has the form of a token. */
const fits = (text: string | null, pattern: string, { action }: AuditEntry) =>
  isLike(text ?? '', pattern) && (!pattern.startsWith('*@') || /\btoken\b/.test(action));

const matches = (entry: AuditEntry, { role, since, until, ...filter }: AuditFilter): boolean =>
  patternsOf(filter).every(({ field, patterns }) =>
    [...patterns].some((pattern) => fits(entry[field], pattern, entry)),
  ) &&
  (role === undefined ||
    ['roles_added', 'roles_removed'].flatMap((name) => entry.details?.[name]).includes(role)) &&
  (since === undefined || Date.parse(entry.time) >= since) &&
  (until === undefined || Date.parse(entry.time) <= until);

/**
 * A pattern of CloudWatch Logs that all entries of a filter match; other entries may match it as well.
 *
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntax.html
 */
export function patternOf(filter: AuditFilter): string | undefined {
  const terms = patternsOf(filter).map(
    ({ field, patterns }) => `(${[...patterns].map((one) => `$.${field} = "${one}"`).join(' || ')})`,
  );
  return terms.length === 0 ? undefined : `{ ${terms.join(' && ')} }`;
}
