/** What an endpoint answers when there is more to say than data. */
export class Answer {
  readonly data: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];

  constructor(
    data: unknown,
    {
      headers = {},
      cookies = [],
    }: { headers?: Readonly<Record<string, string>>; cookies?: readonly string[] } = {},
  ) {
    this.data = data;
    this.headers = headers;
    this.cookies = cookies;
  }
}
