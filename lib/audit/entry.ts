import type { FailureCode } from '../failure.ts';

/** Who did what to whom, when, from where, with what result. Usernames are in lower case; nothing is a credential. */
export interface AuditEntry {
  /** ISO 8601 in UTC, with milliseconds. */
  readonly time: string;
  /** A username; `operator:` and the user of the operating system; `secrets-manager`, which rotates keys; null where nobody was authenticated. */
  readonly actor: string | null;
  /** The id of an endpoint, or an operator command such as `admin account password`. */
  readonly action: string;
  /** A username, or a token as `name@username`; the id of a key that rotates; null where there is none, or none that may be written. */
  readonly target: string | null;
  /** `ok`, or the code of the failure; of operator commands also the name of an error of AWS. */
  readonly outcome: 'ok' | FailureCode | (string & {});
  /** False for a repeat and a refusal, null where it is not known, as after a fault. */
  readonly changed: boolean | null;
  /** The address of a request, or the host of an operator. */
  readonly source: string | null;
  readonly requestId: string | null;
}
