import * as z from 'zod/mini';

const text = () => z.nullable(z.string());

/** An entry of the audit log. */
export const auditEntrySchema = () =>
  z.strictObject({
    time: z.string(),
    actor: text(),
    credential: text(),
    action: z.string(),
    target: text(),
    outcome: z.string(),
    changed: z.nullable(z.boolean()),
    details: z.nullable(
      z.record(z.string(), z.union([z.string(), z.number(), z.null(), z.array(z.string())])),
    ),
    source: text(),
    requestId: text(),
  });

/** The fields of an entry, in their order. */
export const AUDIT_FIELDS = Object.keys(auditEntrySchema().shape) as (keyof Entry)[];

export type Entry = z.output<ReturnType<typeof auditEntrySchema>>;
