import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CloudWatchLogsClient, paginateFilterLogEvents } from '@aws-sdk/client-cloudwatch-logs';
import { v7 as uuidv7 } from 'uuid';
import { systemUser } from '#infra/system-user';
import { type AuditLog, auditLogTo, openLogs } from '#lib/audit/audit-log';
import { readLine } from '#lib/audit/line';
import { withoutEndedStarts } from '#lib/audit/starts';
import { actorOf, FUNCTIONS, OPERATORS, streamOf, VERIFIED } from '#lib/audit/streams';
import type { Actor } from '#lib/event/event';
import type { AuditEntry, AuditLine } from '#lib/item/audit-entry';
import { foldCase } from '#lib/text/fold-case';
import { AUDIT_FILE, FORMER_AUDIT_FILE, OPERATORS_FILE } from '../local/machine/resource-names.ts';
import type { Group } from './operator-needs.ts';

export interface AuditTrail {
  write(...entries: readonly AuditLine[]): Promise<void>;
  /** The entries that meet a filter, oldest first. */
  read(filter: AuditFilter): Promise<AuditEntry[]>;
  /**
   * The same entries, apart by their streams. Proved are the checked lines of functions, and those of administrators. Support
   * may write anything into its own stream, as any function could in earlier versions.
   */
  readApart(filter: AuditFilter): Promise<Readonly<Record<'proved' | 'unproved', AuditEntry[]>>>;
}

const line = (entry: AuditLine) => JSON.stringify({ level: 'audit', ...entry });

/**
 * The audit log of a local instance: files with the lines of functions, and one with those of operators.
 *
 * @param user user of the operating system who runs the instance
 */
export function trailInFolder(folder: string, user: string): AuditTrail {
  const own = join(folder, OPERATORS_FILE);
  const streams = [
    [FUNCTIONS, join(folder, FORMER_AUDIT_FILE)],
    [VERIFIED, join(folder, AUDIT_FILE)],
    [streamOf(user), own],
  ] as const;
  return {
    write: (...entries) =>
      appendFile(own, entries.map((entry) => `${line(entry)}\n`).join(''), { mode: 0o600 }),
    ...reading(streamOf(user), async () => {
      const all = streams.map(async ([stream, path]) =>
        (await textIn(path)).split('\n').map((text): Line => ({ stream, text })),
      );
      return (await Promise.all(all)).flat();
    }),
  };
}

const textIn = (path: string): Promise<string> =>
  readFile(path, 'utf8').catch((error) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  });

/** The audit log of a stack. Operator commands write to the stream of the caller's managed policy. */
export function trailInLogGroup(logGroupName: string): AuditTrail {
  const logs = openLogs();
  const groups: readonly Group[] = ['administrator', 'support'];
  const append = firstPermitted(groups.map((group) => auditLogTo(logs, logGroupName, streamOf(group))));
  // Default limits of the SDK: a page of a year may take longer than the limits of functions allow.
  const client = new CloudWatchLogsClient();
  return {
    write: (...entries) =>
      append(entries.map((entry) => ({ timestamp: Date.parse(entry.time), message: line(entry) }))),
    ...reading(streamOf('administrator'), async (filter) => {
      const { actor, since: startTime, until: endTime } = filter;
      const ofOperators = actor !== undefined && isOperator(actor);
      const asked = {
        logGroupName,
        startTime,
        endTime,
        // The stream has the actor, the line only a claim.
        ...(ofOperators && { logStreamNamePrefix: OPERATORS }),
        filterPattern: patternOf(ofOperators ? { ...filter, actor: undefined } : filter),
      };
      const lines: Line[] = [];
      for await (const { events = [] } of paginateFilterLogEvents({ client }, asked))
        lines.push(...events.map(({ logStreamName: stream = '', message: text = '' }) => ({ stream, text })));
      return lines;
    }),
  };
}

/** Reads entries of the lines that may meet a filter. @param administrators the stream that only they may write */
function reading(
  administrators: string,
  linesOf: (filter: AuditFilter) => Promise<Line[]>,
): Pick<AuditTrail, 'read' | 'readApart'> {
  const isProof = ({ stream }: Line) => stream === VERIFIED || stream === administrators;
  return {
    read: async (filter) => entriesOf(await linesOf(filter), filter),
    async readApart(filter) {
      const lines = await linesOf(filter);
      return {
        proved: entriesOf(lines.filter(isProof), filter),
        unproved: entriesOf(
          lines.filter((one) => !isProof(one)),
          filter,
        ),
      };
    },
  };
}

/** Appends to the first log that the caller's policies permit, from then on to no other. */
function firstPermitted([first, ...others]: readonly AuditLog[]): AuditLog['append'] {
  let own = first as AuditLog;
  return async function append(lines): Promise<void> {
    try {
      await own.append(lines);
    } catch (error) {
      const next = (error as Error).name === 'AccessDeniedException' && others.shift();
      if (!next) throw error;
      own = next;
      await append(lines);
    }
  };
}

interface Line {
  readonly stream: string;
  readonly text: string;
}

/** A line that was collected twice is one entry; a line that was cut off, as by a full disk, is dropped. */
function entriesOf(lines: readonly Line[], filter: AuditFilter): AuditEntry[] {
  const found = [...new Map(lines.map((one) => [keyOf(one), one])).values()]
    .flatMap(({ stream, text }) => readLine(stream, text)?.entry ?? [])
    .filter((entry) => matches(entry, filter))
    .sort((one, other) => Date.parse(one.time) - Date.parse(other.time));
  return withoutEndedStarts(found);
}

/** A line that an operator copies is another one; that of a function may be in the streams of two versions. */
const keyOf = ({ stream, text }: Line) => (actorOf(stream) === undefined ? text : `${stream}\n${text}`);

/** The user of the operating system, and an id for the events and the audit line of a command. */
export const operator = (): Actor => ({ by: `operator:${systemUser()}`, requestId: uuidv7() });

/** Conditions on entries of the audit log; an entry meets all that are given. */
export interface AuditFilter {
  /** An account and its tokens, a token as `name@username`, or the ID of a key. */
  readonly target?: string | undefined;
  /** An account, an operator, or the ARN or name that one claims; `operator` is every operator. */
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

type Field = 'target' | 'actor' | 'action' | 'outcome' | 'source';

const isOperator = (actor: string) => /^(operator(:|$)|arn:)/.test(actor);

const isSame = (one: string | null, other: string) => foldCase(one ?? '') === foldCase(other);

/** Whether the value of a field is the one that a filter names. Names are compared regardless of case. */
const MEETS: Readonly<Record<Field, (entry: AuditEntry, name: string) => boolean>> = {
  // An email address has the form of a token.
  target: ({ target, action }, name) =>
    isSame(target, name) ||
    (/\btoken\b/.test(action) && foldCase(target ?? '').endsWith(`@${foldCase(name)}`)),
  actor: ({ actor, details }, name) => {
    if (name === 'operator') return isOperator(actor ?? '');
    return isSame(actor, name) || (isOperator(name) && isSame(`${details?.['claimed_by'] ?? ''}`, name));
  },
  action: ({ action }, name) => action === name,
  outcome: ({ outcome }, name) => outcome === name,
  source: ({ source }, name) => source === name,
};

const fieldsIn = (filter: AuditFilter) =>
  (Object.keys(MEETS) as Field[]).flatMap((field) => {
    const name = filter[field];
    return name === undefined ? [] : [[field, name] as const];
  });

const matches = (entry: AuditEntry, { role, since, until, ...filter }: AuditFilter): boolean =>
  fieldsIn(filter).every(([field, name]) => MEETS[field](entry, name)) &&
  (role === undefined ||
    ['roles_added', 'roles_removed'].flatMap((name) => entry.details?.[name]).includes(role)) &&
  (since === undefined || Date.parse(entry.time) >= since) &&
  (until === undefined || Date.parse(entry.time) <= until);

/** The values of a field that CloudWatch Logs looks for, which `*` is any text in: it distinguishes case. */
const PATTERNS: Readonly<Partial<Record<Field, (name: string) => readonly string[]>>> = {
  // A token has its name as stored. The ID of a key has capitals.
  target: (name) => [foldCase(name), name, `*@${foldCase(name.slice(name.lastIndexOf('@') + 1))}`],
  actor: (name) => [foldCase(name), name],
};

/**
 * A pattern of CloudWatch Logs that all entries of a filter match; other entries may match it as well.
 *
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntax.html
 */
export function patternOf(filter: AuditFilter): string | undefined {
  const terms = fieldsIn(filter).map(([field, name]) => {
    const patterns = new Set(PATTERNS[field]?.(name) ?? [name]);
    return `(${[...patterns].map((one) => `$.${field} = "${one}"`).join(' || ')})`;
  });
  return terms.length === 0 ? undefined : `{ ${terms.join(' && ')} }`;
}
