import { Agent, createServer, request as open } from 'node:http';
import { pipeline } from 'node:stream';
import { refusal } from '../machine/gate.ts';
import { listen } from '../machine/listen.ts';

/**
 * Stands before an engine, which answers whoever asks, and lets pass what presents the access key.
 *
 * @param engine its URL
 */
export async function startEngineGate(engine: string, accessKeyId: string) {
  const agent = new Agent({ keepAlive: true });
  const server = createServer((request, response) => {
    const refused = refusal(request.headers, accessKeyId);
    if (refused) {
      response
        .writeHead(refused.status, { 'content-type': 'application/x-amz-json-1.0', connection: 'close' })
        .end(JSON.stringify(refused.body));
      return;
    }
    const { method, url, headers } = request;
    const forwarded = open(new URL(url ?? '/', engine), { agent, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      pipeline(answer, response, () => undefined);
    });
    // An engine that is out of reach is seen as one: the connection is reset, and the SDK tries again.
    pipeline(request, forwarded, (error) => error && response.destroy());
  });
  const { url, close } = await listen(server);
  return {
    url,
    async close() {
      await close();
      agent.destroy();
    },
  };
}
