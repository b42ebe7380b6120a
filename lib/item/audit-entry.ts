import * as z from 'zod/mini';
import { foldCase } from '../text/fold-case.ts';
import type { SchemaTexts } from '../texts.ts';

const text = () => z.nullable(z.string());

/** An entry of the audit log. Usernames are in lower case, names of tokens as stored; no field contains a credential. */
export const auditEntrySchema = () =>
  z.strictObject({
    /** ISO 8601 in UTC, with milliseconds. */
    time: z.string(),
    /** A username; for commands `operator:<policy>`, or `operator:<user>` locally; `secrets-manager` for rotations; otherwise null. */
    actor: text(),
    /** Name of the API token, or ID (`jti`) of the session; null for passwords, commands and without authentication. */
    credential: text(),
    /** ID of an endpoint, or an operator command such as `admin account password`. */
    action: z.string(),
    /** A username, a token as `name@username`, or the ID of a key; null without a target that may be logged. */
    target: text(),
    /** `ok`, or the code of a failure; for operator commands also `started`, or the name of an AWS error. */
    outcome: z.string(),
    /** False for repeats, refusals and exports; null when unknown, as after a fault. */
    changed: z.nullable(z.boolean()),
    details: z.nullable(
      z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())])),
    ),
    /** Address of a request, or host of an operator. */
    source: text(),
    requestId: text(),
  });

/**
 * An entry as listed: refusals of an hour that have actor, target, action and cause in common are one, with `count` and the
 * three fields after it. The names of people are on request, and never stored.
 */
export const listedEntrySchema = () =>
  z.extend(auditEntrySchema(), {
    count: z.optional(z.number()),
    first_at: z.optional(z.string()),
    last_at: z.optional(z.string()),
    sources: z.optional(z.array(z.string())),
    actor_name: z.optional(z.nullable(z.string())),
    target_name: z.optional(z.nullable(z.string())),
  });

export const auditEntryTexts = {
  name: 'AuditEntry',
  schema: listedEntrySchema,
  fields: {
    time: 'Time of the entry (UTC, ends in `Z`); of counted refusals the start of their hour',
    actor:
      'Username in lower case; of an operator command, `operator:support` or `operator:administrator` by its policy, or `operator:<system user>` on a local instance; `secrets-manager` for a rotation of the signing key; null if no one was authenticated',
    credential: 'Name of the API token, or ID of the session; null for a password or a command',
    action:
      'ID of the endpoint or of the rotation, or operator command such as `admin account lock`; `first-start` when a local instance creates its administrator',
    target:
      'Username or short name of a team in lower case, token as `name@username` with the name as stored, or ID of a key; null if there is no target or it may not be logged',
    outcome:
      '`ok`, or the code of a failure; for an operator command also `started`, or the name of an AWS error',
    changed: 'Whether the state changed: false for repeats, refusals and exports, null when unknown',
    details:
      'Details of the action, such as added roles; `cause` is why a login or a proof of the account was refused; `claimed_by` is the ARN or name that an operator command claims, unproved; null without any',
    source: 'Source address of the request, or host of the operator',
    requestId: '`requestID` of the response, or ID of the operator command',
    count:
      'Number of refusals (401, 403, 429) of an hour that have actor, target, action and cause in common, at least; the entry has credential, details, source and request ID of the latest. Absent from other entries',
    first_at: 'Time of the first of these refusals (UTC, ends in `Z`)',
    last_at: 'Time of the last of these refusals (UTC, ends in `Z`)',
    sources: 'Source addresses of these refusals, up to ten; absent after the erasure of the actor',
    actor_name:
      'Present first and last name of the actor; null without any, or if the actor is no account; only with `names=true` of `audit/browse`',
    target_name:
      'The same of the account that the entry is about, or of the owner of its token; only with `names=true` of `audit/browse`',
  },
} as const satisfies SchemaTexts;

/** Details of an entry: the roles, teams and applications that were added or removed, the source of a copy, and the like. */
export type AuditDetails = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/** Actor of the entries of key rotations. No account can have this name. */
export const ROTATOR = 'secrets-manager';

export interface AuditEntry extends Readonly<Omit<z.output<ReturnType<typeof auditEntrySchema>>, 'details'>> {
  readonly details: AuditDetails | null;
}

/** The subject of an entry. The entries of a token are listed with those of its `account` as well. */
export interface Subject {
  readonly target: string | null;
  readonly account?: string;
}

/** A token as the audit log names it: `name@username`, with the name as stored. */
export const tokenSubject = (name: string, username: string): Subject => ({
  target: `${name}@${username}`,
  account: username,
});

/** A subject with its account in lower case; the name of a token is not changed, since `Deploy` and `deploy` are two. */
export function logged({ target, account }: Subject): Subject {
  if (target === null || account === undefined) return { target: target && foldCase(target) };
  const name = target.slice(0, target.length - account.length);
  return { target: name + foldCase(account), account: foldCase(account) };
}

/** An entry as the audit log has it. */
export type AuditLine = AuditEntry & Subject;

/** An entry as listed. */
export interface ListedEntry extends AuditEntry {
  readonly count?: number | undefined;
  readonly first_at?: string | undefined;
  readonly last_at?: string | undefined;
  readonly sources?: readonly string[] | undefined;
  readonly actor_name?: string | null | undefined;
  readonly target_name?: string | null | undefined;
}

/** Where the entry of what an account did to another subject is; its key has the account and the time. */
export interface Act {
  /** Partition of the entry. */
  readonly entry_in: string;
  /** End, in seconds since the epoch. */
  readonly ttl: number;
}

/** An entry as the table stores it. */
export interface AuditItem extends Omit<ListedEntry, 'actor_name' | 'target_name'> {
  readonly SK: string;
  /** Partition of its account, or of its other target. */
  readonly GSI1PK?: string;
  readonly GSI1SK?: string;
  /** Of refusals: the last counted line of each log stream, in milliseconds since the start of the hour. */
  readonly counted_until?: Readonly<Record<string, number>>;
  /** End, in seconds since the epoch; DynamoDB then removes the item. */
  readonly ttl: number;
}
