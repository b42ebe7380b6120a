import * as z from 'zod/mini';

const text = () => z.nullable(z.string());

/** An entry of the audit log. Usernames are in lower case; no field contains a credential. */
export const auditEntrySchema = () =>
  z.strictObject({
    /** ISO 8601 in UTC, with milliseconds. */
    time: z.string(),
    /** A username; for commands `operator:<user>` or on a stack an ARN; `secrets-manager` for rotations; otherwise null. */
    actor: text(),
    /** Name of the API token, or ID (`jti`) of the session; null for passwords, commands and without authentication. */
    credential: text(),
    /** ID of an endpoint, or an operator command such as `admin account password`. */
    action: z.string(),
    /** A username, a token as `name@username`, or the ID of a key; null without a target that may be logged. */
    target: text(),
    /** `ok`, or the code of a failure; for operator commands also `started`, or the name of an AWS error. */
    outcome: z.string(),
    /** False for repeats and refusals; null when unknown, as after a fault. */
    changed: z.nullable(z.boolean()),
    details: z.nullable(
      z.record(z.string(), z.union([z.string(), z.number(), z.null(), z.array(z.string())])),
    ),
    /** Address of a request, or host of an operator. */
    source: text(),
    requestId: text(),
  });

/** Details of an entry: the roles, teams and applications that were added or removed, the source of a copy, and the like. */
export type AuditDetails = Readonly<Record<string, string | number | null | readonly string[]>>;

export interface AuditEntry extends Readonly<Omit<z.output<ReturnType<typeof auditEntrySchema>>, 'details'>> {
  readonly details: AuditDetails | null;
}

/** The subject of an entry. The entries of a token are listed with those of its `account` as well. */
export interface Subject {
  readonly target: string | null;
  readonly account?: string;
}

/** A token as the audit log names it: `name@username`. */
export const tokenSubject = (name: string, username: string): Subject => ({
  target: `${name}@${username}`,
  account: username,
});

/** An entry as the audit log has it. */
export type AuditLine = AuditEntry & Subject;

/** An entry as the table stores it. */
export interface AuditItem extends AuditEntry {
  readonly SK: string;
  /** Partition of its account, or of its other target. */
  readonly GSI1PK?: string;
  /** End, in seconds since the epoch; DynamoDB then removes the item. */
  readonly ttl: number;
}
