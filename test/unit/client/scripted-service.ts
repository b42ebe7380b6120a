import { createServer, type IncomingHttpHeaders } from 'node:http';
import { onTestFinished } from 'vitest';
import { listen } from '#infra/local/machine/listen';
import { type Client, type ClientOptions, createClient } from '#lib/client/index';

/** A request as it came over HTTP. */
export interface Seen {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Reply {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  /** Sent as JSON, a text as it is. */
  readonly body?: unknown;
}

/** The answer to a request: the connection is cut before or within it, or no answer comes. */
export type Scripted = Reply | 'cut' | 'cut within' | 'hang';

export const data = (value: object): Reply => ({ body: { success: true, message: '', data: value } });
export const refused = (status: number, code: string, headers: Record<string, string> = {}): Reply => ({
  status,
  headers,
  body: { success: false, message: 'The text.', requestID: 'of-the-body', data: { code } },
});

/** A server that answers each request by the script until the test ends, and a client of it. */
export async function scriptedService(
  script: (seen: Seen, before: number) => Scripted,
  options: Partial<ClientOptions> = {},
): Promise<Client & { readonly url: string; readonly seen: readonly Seen[] }> {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url: path = '', headers } = request;
    const one = { method, path, headers, body: Buffer.concat(chunks).toString() };
    const reply = script(one, seen.push(one) - 1);
    if (reply === 'hang') return;
    if (typeof reply === 'string') {
      if (reply === 'cut within') response.writeHead(200, { 'content-length': '100' }).write('{');
      setTimeout(() => response.destroy(), 20);
      return;
    }
    const text = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body ?? null);
    response.writeHead(reply.status ?? 200, reply.headers).end(text);
  });
  const { url, close } = await listen(server);
  onTestFinished(async () => {
    server.closeAllConnections();
    await close();
  });
  return { ...createClient({ url, ...options }), url, seen };
}

/** All items of an iterator. */
export async function all<T>(iterator: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of iterator) items.push(item);
  return items;
}
