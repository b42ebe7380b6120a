import type { AuditDetails, AuditEntry } from '../item/audit-entry.ts';

/** Stream of the lines of functions in earlier versions, which checked none of them. */
export const FUNCTIONS = 'functions';

/** Stream of the lines of functions that the collector has checked: each has the action of the function that wrote it. */
export const VERIFIED = 'functions/verified';

/** Start of the name of each stream of operators, also of the one that they shared in earlier versions. */
export const OPERATORS = 'operators';

/** The stream that only these operators may write: those with one managed policy, or the user of a local instance. */
export const streamOf = (operators: string) => `${OPERATORS}/${operators}/commands`;

/**
 * The ID of the function that writes a stream of the shared log group, whose name Lambda chooses:
 * `YYYY/MM/DD/<function>[<version>]<environment>`. Undefined for any other name. A role may write all streams that contain
 * `/<function>[`, so the name must have that once, as its last part. A noun has no hyphen: the first one stands for the dot.
 */
export function functionOf(instance: string, stream: string): string | undefined {
  const [, name] = /^\d{4}\/\d\d\/\d\d\/([\w-]+)\[[^/]*$/.exec(stream) ?? [];
  return name?.startsWith(`${instance}-`) ? name.slice(instance.length + 1).replace('-', '.') : undefined;
}

/** Whether a function may have written a line: the action is its own, and the actor is no operator. */
export function isOwnLine(id: string | undefined, line: string): boolean {
  try {
    const { action, actor } = JSON.parse(line) as { action?: unknown; actor?: unknown };
    return action === id && id !== undefined && !/^operator:/i.test(`${actor}`);
  } catch {
    return false;
  }
}

/** The actor of a stream, such as `operator:support`; undefined where the lines themselves name their actors. */
export function actorOf(stream: string): string | undefined {
  const [, operators] = /^operators\/([^/]+)\//.exec(stream) ?? [];
  return operators && `operator:${operators}`;
}

/**
 * An entry as its stream proves it. Operators may write any line into their own streams: the actor is that of the stream,
 * and another one that the line names is only a claim.
 */
export function provenBy(stream: string, entry: AuditEntry): AuditEntry {
  const actor = actorOf(stream);
  if (actor === undefined) return entry;
  const { claimed_by: _, ...others } = entry.details ?? {};
  const isClaim = entry.actor !== null && entry.actor !== actor;
  const details: AuditDetails = { ...others, ...(isClaim && { claimed_by: entry.actor }) };
  return { ...entry, actor, credential: null, details: Object.keys(details).length > 0 ? details : null };
}
