import { appendFile, readFile } from 'node:fs/promises';
import { hostname, userInfo } from 'node:os';
import { CloudWatchLogsClient, paginateFilterLogEvents } from '@aws-sdk/client-cloudwatch-logs';
import type { Command } from 'commander';
import { v7 as uuidv7 } from 'uuid';
import { isUsername } from '#lib/account/identifiers';
import { auditLogTo, openLogs } from '#lib/audit/audit-log';
import type { AuditEntry } from '#lib/audit/entry';
import type { Actor } from '#lib/event/account-event';
import { redact } from '#lib/log/redact';
import { foldCase } from '#lib/table/keys';

export interface AuditTrail {
  write(entry: AuditEntry): Promise<void>;
  /** The entries that meet a filter, oldest first. */
  read(filter: AuditFilter): Promise<AuditEntry[]>;
}

const line = (entry: AuditEntry) => JSON.stringify({ level: 'audit', ...entry });

/** The audit log of a local instance, with the entries of its functions. */
export const trailInFile = (path: string): AuditTrail => ({
  write: (entry) => appendFile(path, `${line(entry)}\n`, { mode: 0o600 }),
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
  const append = auditLogTo(openLogs(), logGroupName, 'operators');
  // Its default limits: a page of a year may take longer than a function waits.
  const client = new CloudWatchLogsClient();
  return {
    write: (entry) => append([{ timestamp: Date.parse(entry.time), message: line(entry) }]),
    async read(filter) {
      const asked = { logGroupName, startTime: filter.since, filterPattern: patternOf(filter) };
      const lines: string[] = [];
      for await (const { events = [] } of paginateFilterLogEvents({ client }, asked))
        lines.push(...events.map(({ message = '' }) => message));
      return entriesOf(lines, filter);
    },
  };
}

/** A line that was collected twice is one entry; a line that was cut off, as by a full disk, is dropped. */
function entriesOf(lines: readonly string[], filter: AuditFilter): AuditEntry[] {
  return [...new Set(lines)]
    .flatMap((text) => parse(text) ?? [])
    .filter((entry) => matches(entry, filter))
    .sort((one, other) => Date.parse(one.time) - Date.parse(other.time));
}

function parse(text: string): AuditEntry | undefined {
  try {
    const { level: _, ...entry } = JSON.parse(text) as AuditEntry & { level: string };
    return entry;
  } catch {
    return undefined;
  }
}

/** The user of the operating system, and an id for the events and the audit line of a command. */
export const operator = (): Actor => ({ by: `operator:${foldCase(user())}`, requestId: uuidv7() });

export const operatorEntry = (
  command: Command,
  { by, requestId }: Actor,
  result: Pick<AuditEntry, 'outcome' | 'changed'>,
): AuditEntry => ({
  time: new Date().toISOString(),
  actor: by,
  action: nameOf(command),
  target: targetOf(command),
  ...result,
  source: hostname(),
  requestId,
});

/** In a container the user may have a number only. */
function user(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.());
  }
}

/** Such as `admin account password`. */
const nameOf = (command: Command): string =>
  command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();

function targetOf({ registeredArguments, processedArgs }: Command): string | null {
  const named = (name: string): string | undefined => {
    const text: unknown =
      processedArgs[registeredArguments.findIndex((argument) => argument.name() === name)];
    return typeof text === 'string' && isUsername(text) && redact(text) === text ? text : undefined;
  };
  const [username, name, team] = ['username', 'name', 'short'].map(named);
  if (username === undefined) return team === undefined ? null : foldCase(team);
  return foldCase(name === undefined ? username : `${name}@${username}`);
}

/** Conditions on entries of the audit log; an entry meets all that are given. */
export interface AuditFilter {
  /** An account and its tokens, or a token as `name@username`. */
  readonly target?: string | undefined;
  /** An account; `operator` is every operator. */
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly since?: number | undefined;
}

const matches = (entry: AuditEntry, { target, actor, action, since }: AuditFilter): boolean =>
  (target === undefined || isTarget(entry, foldCase(target))) &&
  (actor === undefined || isActor(entry, foldCase(actor))) &&
  (action === undefined || entry.action === action) &&
  (since === undefined || Date.parse(entry.time) >= since);

/** An email address as a username has the form of a token. */
const isTarget = ({ target, action }: AuditEntry, name: string) =>
  target === name || (/\btoken\b/.test(action) && target?.endsWith(`@${name}`) === true);

const isActor = ({ actor }: AuditEntry, name: string) =>
  actor === name || actor?.startsWith(`${name}:`) === true;

/**
 * A pattern of CloudWatch Logs that all entries of a filter match; other entries may match it as well.
 *
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntax.html
 */
export function patternOf({ target, actor, action }: AuditFilter): string | undefined {
  const either = (field: string, one: string, other: string) =>
    `($.${field} = "${one}" || $.${field} = "${other}")`;
  const terms = [
    target === undefined ? [] : either('target', foldCase(target), `*@${foldCase(target)}`),
    actor === undefined ? [] : either('actor', foldCase(actor), `${foldCase(actor)}:*`),
    action === undefined ? [] : `($.action = "${action}")`,
  ].flat();
  return terms.length === 0 ? undefined : `{ ${terms.join(' && ')} }`;
}
