import type { AuditEntry } from '../item/audit-entry.ts';

/** Entries for people: the start of a command is left out if its end is among them, otherwise it runs or was cut off. */
export function withoutEndedStarts<Entry extends AuditEntry>(entries: readonly Entry[]): Entry[] {
  const isStart = ({ outcome }: AuditEntry) => outcome === 'started';
  const own = ({ requestId, target }: AuditEntry) => `${requestId} ${target}`;
  const ended = new Set(entries.filter((entry) => !isStart(entry)).map(own));
  return entries.filter((entry) => !isStart(entry) || !ended.has(own(entry)));
}
