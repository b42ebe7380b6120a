import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request, and what the service has answered, as both went over the wire. */
export interface Exchange {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** Names and values in turns. */
  readonly headers: readonly string[];
  readonly body: Buffer;
  readonly status: number;
  readonly answerHeaders: readonly string[];
  readonly answer: Buffer;
}

/** Collects what a stream brings. */
export async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Headers but those of these names, which are in lower case. */
export const without = (headers: readonly string[], names: ReadonlySet<string>): string[] =>
  headers.filter((_, index) => !names.has((headers[index - (index % 2)] as string).toLowerCase()));

/** Serves on a free port of loopback. */
export async function serve(listener: RequestListener) {
  // What is wrong with a request is for the service to say.
  const server = createServer({ requireHostHeader: false, insecureHTTPParser: true }, listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
