import { Agent, type IncomingMessage, request as open, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';

/** Hands requests on over connections that stay open. */
export function openForwarder() {
  const agent = new Agent({ keepAlive: true });
  return {
    /**
     * Sends a request on, and its answer back.
     *
     * @param upstream URL of the server that answers
     * @param body of the request, where that has been read already
     */
    forward(request: IncomingMessage, response: ServerResponse, upstream: string, body?: Buffer): void {
      const { method, url, headers } = request;
      const forwarded = open(new URL(url ?? '/', upstream), { agent, method, headers }, (answer) => {
        // Who has asked may have gone meanwhile: a pipeline to nobody throws.
        if (response.destroyed) return void answer.resume();
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        pipeline(answer, response, () => undefined);
      });
      // A server that is out of reach is seen as one: the connection is reset, and the SDK tries again.
      const reset = (error: unknown) => error && response.destroy();
      if (body) forwarded.on('error', reset).end(body);
      else pipeline(request, forwarded, reset);
    },
    close: () => agent.destroy(),
  };
}
