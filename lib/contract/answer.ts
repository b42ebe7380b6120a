/** What an endpoint answers when there is more to say than data. */
export class Answer<Data = unknown> {
  readonly data: Data;
  /** As in `Set-Cookie`. */
  readonly cookies: readonly string[];
  /** The media type of data that is text and no JSON. */
  readonly type: string | undefined;
  /** Take the place of those of the contract. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    data: Data,
    rest: { cookies?: readonly string[]; type?: string; headers?: Readonly<Record<string, string>> } = {},
  ) {
    this.data = data;
    this.cookies = rest.cookies ?? [];
    this.type = rest.type;
    this.headers = rest.headers ?? {};
  }
}
