import type { Cause } from '../failure/cause.ts';
import type { AuditDetails, Subject } from '../item/audit-entry.ts';

/** An answer with more than data: cookies, a media type, headers, a status. */
export class Answer<Data = unknown> {
  readonly data: Data;
  /** Values of `Set-Cookie`. */
  readonly cookies: readonly string[] = [];
  /** Media type of data that is text instead of JSON. */
  readonly type?: string;
  /**
   * Text in gzip that replaces data, whatever the client accepts: anyone may request it, and its bytes cost most. Every
   * browser accepts it.
   */
  readonly gzipped?: Uint8Array;
  /** Headers that override those of the contract. */
  readonly headers: Readonly<Record<string, string>> = {};
  /** HTTP status; only 200 sends the data. */
  readonly status: 200 | 302 | 304 = 200;
  /** False when the request repeats one that was carried out. */
  readonly changed: boolean = true;
  /**
   * For the audit log: what has got a session or a token, as the record of sessions names it (null for a password), the ID of
   * the session, and the account if the data does not name it.
   */
  readonly login?: {
    readonly credential: string | null;
    readonly session?: string;
    readonly username?: string;
  };
  /** For the audit log: the account or token that a credential in the body belongs to, if to any. */
  readonly about?: Subject;
  /** For the audit log: what the request has changed, and the terms of the change. */
  readonly details?: AuditDetails;
  /** For the log: why a credential in the body is not valid. */
  readonly cause?: Cause;

  constructor(data: Data, rest: Partial<Omit<Answer, 'data'>> = {}) {
    this.data = data;
    Object.assign(this, rest);
  }
}
