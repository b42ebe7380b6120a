import type { AuditEntry } from '../item/audit-entry.ts';

/** Entries for people: the start of a command is left out if its end is among them, otherwise it runs or was cut off. */
export function withoutEndedStarts<Entry extends AuditEntry>(entries: readonly Entry[]): Entry[] {
  const own = ({ actor, requestId, target }: AuditEntry) => `${actor} ${requestId} ${target}`;
  const ended = new Set(entries.flatMap((entry) => (entry.outcome === 'started' ? [] : own(entry))));
  return entries.filter((entry) => entry.outcome !== 'started' || !ended.has(own(entry)));
}
