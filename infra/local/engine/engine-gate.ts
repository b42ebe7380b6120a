import { createServer } from 'node:http';
import { openForwarder } from '../machine/forward.ts';
import { refusal } from '../machine/gate.ts';
import { listen } from '../machine/listen.ts';

/**
 * Stands before an engine, which answers whoever asks, and lets pass what presents the access key.
 *
 * @param engine its URL
 */
export async function startEngineGate(engine: string, accessKeyId: string) {
  const forwarder = openForwarder();
  const server = createServer((request, response) => {
    const refused = refusal(request.headers, accessKeyId);
    if (refused) {
      response
        .writeHead(refused.status, { 'content-type': 'application/x-amz-json-1.0', connection: 'close' })
        .end(JSON.stringify(refused.body));
      return;
    }
    forwarder.forward(request, response, engine);
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
