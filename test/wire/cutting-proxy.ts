import { createServer } from 'node:http';
import { listen } from '../../infra/local/machine/listen.ts';

/** Stands between a client and the service: carries every request there, but is cut before the first answer comes back. */
export async function openCuttingProxy(upstream: string) {
  const answered: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    for (const name of ['host', 'connection', 'content-length']) delete request.headers[name];
    const answer = await fetch(upstream + request.url, {
      method: request.method as string,
      headers: request.headers as Record<string, string>,
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    const text = await answer.text();
    if (answered.push(text) === 1) response.destroy();
    else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
  });
  const { url, close } = await listen(server);
  return { url, close, answered };
}
