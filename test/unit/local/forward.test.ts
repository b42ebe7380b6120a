import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { openForwarder } from '#infra/local/machine/forward';

const servers: Server[] = [];
const forwarder = openForwarder();
afterAll(() => {
  forwarder.close();
  for (const server of servers) server.close().closeAllConnections();
});

async function serving(server: Server): Promise<string> {
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('an answer to who has gone is thrown away, and the next is handed on', async () => {
  const asked = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<void>();
  const upstream = createServer(async (request, response) => {
    if (request.url === '/slow') {
      asked.resolve();
      await gone.promise;
    }
    response.end('an answer');
  });
  const to = await serving(upstream);
  const url = await serving(
    createServer((request, response) => {
      response.once('close', () => gone.resolve());
      forwarder.forward(request, response, to);
    }),
  );
  const client = new AbortController();
  const slow = fetch(`${url}/slow`, { signal: client.signal }).catch((error: Error) => error.name);
  await asked.promise;
  client.abort();
  expect(await slow).toBe('AbortError');
  await gone.promise;
  for (const _ of ['while it answers', 'after that'])
    expect(await (await fetch(url)).text()).toBe('an answer');
});
