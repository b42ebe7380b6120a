import * as z from 'zod/mini';
import type { TrustItem } from '../item/trust.ts';
import type { SchemaTexts } from '../texts.ts';
import { tokenAccess, tokenName } from '../token/record.ts';

/** Name of a trust, unique in its machine. A client names a trust as `<trust>@<machine>`, so it has no `@`. */
export const trustName = tokenName;

/** A trust as listings show it. */
export const trustRecordSchema = () =>
  z.strictObject({
    trust_name: z.string(),
    trust_id: z.uuid(),
    username: z.string(),
    issuer: z.string(),
    subject: z.string(),
    claims: z.record(z.string(), z.unknown()),
    roles: z.nullable(z.array(z.string())),
    access: tokenAccess(),
    addresses: z.nullable(z.array(z.string())),
    max_minutes: z.int(),
    created_at: z.string(),
    created_by: z.string(),
  });

export const trustTexts = {
  name: 'Trust',
  schema: trustRecordSchema,
  fields: {
    trust_name: 'Name of the trust, unique within its machine',
    trust_id: 'ID of the trust; another trust with its name has another one',
    username: 'Machine that signs in',
    issuer: 'Name of the issuer in `Settings:Issuers`',
    subject: 'Subject (`sub`) that a token must have; with `*` at the end, how it must begin',
    claims: 'Claims that a token must have, with exactly these values; empty if it needs none',
    roles: 'The only roles of the machine that count for the sessions; null if all of them do',
    access: 'Permitted requests: `full`, or `read` for GET only, logout excepted',
    addresses: 'Source addresses of the sessions, as addresses or CIDR blocks; null for all',
    max_minutes: 'Lifetime of the sessions in minutes',
    created_at: 'Time of creation (UTC, ends in `Z`)',
    created_by: 'Username of the creator; `operator:<user>` for a command',
  },
} as const satisfies SchemaTexts;

export type TrustRecord = z.output<ReturnType<typeof trustRecordSchema>>;

export const trustRecord = (trust: TrustItem): TrustRecord => ({
  trust_name: trust.trust_name,
  trust_id: trust.trust_id,
  username: trust.trust_owner,
  issuer: trust.trust_issuer,
  subject: trust.trust_subject,
  claims: { ...trust.trust_claims },
  roles: trust.trust_roles ? [...trust.trust_roles] : null,
  access: trust.access ?? 'full',
  addresses: trust.addresses ? [...trust.addresses] : null,
  max_minutes: trust.max_minutes,
  created_at: trust.trust_created_at,
  created_by: trust.trust_created_by,
});
