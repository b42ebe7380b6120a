import { type AuditEntry, type AuditItem, type AuditLine, auditEntrySchema } from '../item/audit-entry.ts';
import type { Runtime } from '../runtime.ts';
import { putAll } from '../table/bulk.ts';
import { auditIndex, auditKey } from '../table/keys.ts';
import { DAY_MS } from '../time.ts';

/** The fields of an entry, in their order. */
export const AUDIT_FIELDS = Object.keys(auditEntrySchema().shape) as (keyof AuditEntry)[];

/**
 * Stores the entries of audit lines. A line that was stored before changes nothing; a line that is no entry, or older than
 * `Settings:AuditDays`, is left out.
 */
export async function storeEntries(
  { table, now, settings }: Pick<Runtime, 'table' | 'now' | 'settings'>,
  lines: readonly string[],
): Promise<void> {
  const lifetime = settings.AuditDays * DAY_MS;
  const items = [...new Set(lines)].flatMap((line) => itemOf(line, lifetime) ?? []);
  const current = items.filter(({ ttl }) => ttl * 1000 > now());
  await putAll(table, current);
}

function itemOf(line: string, lifetime: number): AuditItem | undefined {
  const { entry, subject } = readLine(line) ?? {};
  if (!entry) return undefined;
  const key = auditKey(entry.time, line);
  const index = subject ? auditIndex(subject, key) : {};
  return { ...key, ...index, ...entry, ttl: Math.ceil((Date.parse(entry.time) + lifetime) / 1000) };
}

/** The entry of a line, and the subject that it is listed under; fields that an earlier version did not write are null. */
export function readLine(line: string): { entry: AuditEntry; subject: string | null } | undefined {
  try {
    const fields = JSON.parse(line) as Partial<AuditLine>;
    const named = Object.fromEntries(AUDIT_FIELDS.map((name) => [name, fields[name] ?? null]));
    const entry = named as unknown as AuditEntry;
    const subject = fields.account ?? entry.target;
    const areTexts = [entry.action, entry.target ?? '', subject ?? ''].every((it) => typeof it === 'string');
    return areTexts && new Date(entry.time).toISOString() === entry.time ? { entry, subject } : undefined;
  } catch {
    return undefined;
  }
}
