/** What an endpoint answers when there is more to say than data. */
export class Answer<Data = unknown> {
  readonly data: Data;
  /** As in `Set-Cookie`. */
  readonly cookies: readonly string[];
  /** The media type of data that is text and no JSON. */
  readonly type: string | undefined;

  constructor(data: Data, rest: { cookies?: readonly string[]; type?: string } = {}) {
    this.data = data;
    this.cookies = rest.cookies ?? [];
    this.type = rest.type;
  }
}
