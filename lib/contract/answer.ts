import type { Subject } from '../item/audit-entry.ts';

/** An answer with more than data: cookies, a media type, headers, a status. */
export class Answer<Data = unknown> {
  readonly data: Data;
  /** Values of `Set-Cookie`. */
  readonly cookies: readonly string[];
  /** Media type of data that is text instead of JSON. */
  readonly type: string | undefined;
  /** Serialized JSON that replaces data. */
  readonly json: string | undefined;
  /** Text in gzip that replaces data. */
  readonly gzipped: Uint8Array | undefined;
  /** Headers that override those of the contract. */
  readonly headers: Readonly<Record<string, string>>;
  /** HTTP status; only 200 sends the data. */
  readonly status: 200 | 302 | 304;
  /** False when the request repeats one that was carried out. */
  readonly changed: boolean;
  /** For the audit log: the name of the token that was exchanged, null for a password, and the ID of the new session. */
  readonly login: { readonly credential: string | null; readonly session: string } | undefined;

  /** For the audit log: the account or token that a credential in the body belongs to, if to any. */
  readonly about: Subject | undefined;
  /** For the audit log: what the request has changed, and the terms of the change. */
  readonly details: Readonly<Record<string, string | number | null | readonly string[]>> | undefined;

  constructor(
    data: Data,
    rest: {
      cookies?: readonly string[];
      type?: string;
      json?: string;
      gzipped?: Uint8Array;
      headers?: Readonly<Record<string, string>>;
      status?: 200 | 302 | 304;
      changed?: boolean;
      login?: Answer['login'];
      about?: Subject;
      details?: Answer['details'];
    } = {},
  ) {
    this.data = data;
    this.cookies = rest.cookies ?? [];
    this.type = rest.type;
    this.json = rest.json;
    this.gzipped = rest.gzipped;
    this.headers = rest.headers ?? {};
    this.status = rest.status ?? 200;
    this.changed = rest.changed ?? true;
    this.login = rest.login;
    this.about = rest.about;
    this.details = rest.details;
  }
}
