/** What an endpoint answers when there is more to say than data. */
export class Answer<Data = unknown> {
  readonly data: Data;
  /** As in `Set-Cookie`. */
  readonly cookies: readonly string[];
  /** The media type of data that is text and no JSON. */
  readonly type: string | undefined;
  /** The JSON of the data where it is written already, in place of data. */
  readonly json: string | undefined;
  /** Text that was compressed with gzip before, in place of data. */
  readonly gzipped: Uint8Array | undefined;
  /** Take the place of those of the contract. */
  readonly headers: Readonly<Record<string, string>>;
  /** HTTP status; with any but 200 the data is not sent. */
  readonly status: 200 | 302 | 304;
  /** False where the request is the repeat of one that was carried out. */
  readonly changed: boolean;

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
  }
}
