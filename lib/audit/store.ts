import type { AuditEntry, AuditItem } from '../item/audit-entry.ts';
import type { Runtime } from '../runtime.ts';
import { putAll } from '../table/bulk.ts';
import { auditIndex, auditKey } from '../table/keys.ts';
import { DAY_MS } from '../time.ts';
import { AUDIT_FIELDS } from './entry.ts';

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
  await putAll(
    table,
    items.filter(({ ttl }) => ttl * 1000 > now()),
  );
}

function itemOf(line: string, lifetime: number): AuditItem | undefined {
  const entry = entryOf(line);
  if (!entry) return undefined;
  const key = auditKey(entry.time, line);
  const index = entry.target === null ? {} : auditIndex(entry.target, key);
  return { ...key, ...index, ...entry, ttl: Math.ceil((Date.parse(entry.time) + lifetime) / 1000) };
}

/** The entry of a line; fields that an earlier version did not write are null. */
function entryOf(line: string): AuditEntry | undefined {
  try {
    const fields = JSON.parse(line) as Readonly<Record<string, unknown>>;
    const time = fields['time'] as string;
    if (new Date(time).toISOString() !== time || typeof fields['action'] !== 'string') return undefined;
    return Object.fromEntries(
      AUDIT_FIELDS.map((name) => [name, fields[name] ?? null]),
    ) as unknown as AuditEntry;
  } catch {
    return undefined;
  }
}
