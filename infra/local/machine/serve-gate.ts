import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { openForwarder } from './forward.ts';
import { refusal } from './gate.ts';
import { listen } from './listen.ts';
import type { ServiceError } from './service-error.ts';

/** What a gate can do with a request that presents the access key. */
export interface Passage {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Sends it on to the server at a URL; `body` where that has been read already. */
  forward(upstream: string, body?: Buffer): void;
  refuse(error: ServiceError): void;
}

/**
 * Stands before services on loopback, and answers nobody but who presents the access key.
 *
 * @param pass what becomes of the others
 */
export async function serveGate(accessKeyId: string, pass: (passage: Passage) => unknown) {
  const forwarder = openForwarder();
  const server = createServer((request, response) => {
    const refuse = ({ status, body }: ServiceError) =>
      response
        .writeHead(status, { 'content-type': 'application/x-amz-json-1.0', connection: 'close' })
        .end(JSON.stringify(body));
    const refused = refusal(request.headers, accessKeyId);
    if (refused) refuse(refused);
    else
      pass({
        request,
        response,
        refuse,
        forward: (upstream, body) => forwarder.forward(request, response, upstream, body),
      });
  });
  const { url, close } = await listen(server);
  return {
    url,
    async close() {
      await close();
      forwarder.close();
    },
  };
}
