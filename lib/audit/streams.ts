import type { AuditDetails, AuditEntry } from '../item/audit-entry.ts';

/** Stream of the lines of functions in earlier versions, which checked none of them. */
export const FUNCTIONS = 'functions';

/** Stream of the lines of functions that the collector has checked: each has the action of the function that wrote it. */
export const VERIFIED = 'functions/verified';

/** Start of the name of each stream of operators, also of the one that they shared in earlier versions. */
export const OPERATORS = 'operators';

/** The stream that only these operators may write: those with one managed policy, or the user of a local instance. */
export const streamOf = (operators: string) => `${OPERATORS}/${operators}/commands`;

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
