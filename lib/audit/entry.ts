import type { FailureCode } from '../failure.ts';

/** An entry of the audit log. Usernames are in lower case; no field contains a credential. */
export interface AuditEntry {
  /** ISO 8601 in UTC, with milliseconds. */
  readonly time: string;
  /** A username, `operator:<user>` for a command, or `secrets-manager` for a rotation; null without authentication. */
  readonly actor: string | null;
  /** ID of an endpoint, or an operator command such as `admin account password`. */
  readonly action: string;
  /** A username, a token as `name@username`, or the ID of a rotated key; null without a target that may be logged. */
  readonly target: string | null;
  /** `ok`, the code of a failure, or for operator commands the name of an error of AWS. */
  readonly outcome: 'ok' | FailureCode | (string & {});
  /** False for repeats and refusals; null when unknown, as after a fault. */
  readonly changed: boolean | null;
  /** Address of a request, or host of an operator. */
  readonly source: string | null;
  readonly requestId: string | null;
}
