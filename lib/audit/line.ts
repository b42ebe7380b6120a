import * as z from 'zod/mini';
import { type AuditEntry, type AuditLine, auditEntrySchema } from '../item/audit-entry.ts';
import { provenBy } from './streams.ts';

/** A part of a key in the table, which has at most 2,048 bytes in UTF-8. */
const subject = () => z.nullable(z.string().check(z.maxLength(600)));

/** `2026-11-20T05:30:00.123Z`, which sorts among the others; later years have a sign. */
const isInstant = (text: string) => {
  const time = Date.parse(text);
  return text.length === 24 && Number.isFinite(time) && new Date(time).toISOString() === text;
};

/** The client of DynamoDB converts no other numbers. */
const isExact = (value: unknown) => typeof value !== 'number' || Math.abs(value) <= Number.MAX_SAFE_INTEGER;

const entrySchema = auditEntrySchema();

/** The fields of an entry, in their order. */
export const AUDIT_FIELDS = Object.keys(entrySchema.shape) as (keyof AuditEntry)[];

const lineSchema = z.extend(entrySchema, {
  time: z.string().check(z.refine(isInstant)),
  target: subject(),
  details: entrySchema.shape.details.check(z.refine((it) => Object.values(it ?? {}).every(isExact))),
  account: subject(),
});

/**
 * The entry of a line in a stream, and the subject that it is listed under; fields that an earlier version did not write are
 * null. Undefined for a line that is no entry.
 */
export function readLine(
  stream: string,
  line: string,
): { entry: AuditEntry; subject: string | null } | undefined {
  const { success, data } = lineSchema.safeParse(fieldsIn(line));
  if (!success) return undefined;
  const { account, ...entry } = data;
  return { entry: provenBy(stream, entry), subject: account ?? entry.target };
}

function fieldsIn(line: string): object | undefined {
  try {
    const fields = JSON.parse(line) as Partial<AuditLine>;
    return Object.fromEntries(
      [...AUDIT_FIELDS, 'account' as const].map((name) => [name, fields[name] ?? null]),
    );
  } catch {
    return undefined;
  }
}
