import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';

const DRAIN_MS = 3000;

/** Lets a server listen on loopback; port 0 picks a free one. @throws Error with a text for people, who set the port by `flag` */
export async function listen(server: Server, port = 0, flag = '--port') {
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new Error(
        `Port ${port} is in use, by another program or instance. Choose another: npm start -- ${flag} 0`,
      );
    if (code === 'EACCES')
      throw new Error(`Port ${port} may not be used by your user. Choose another: npm start -- ${flag} 0`);
    throw error;
  }
  const { port: actual } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${actual}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
      await closed;
      clearTimeout(timer);
    },
  };
}

/** Reads a body; undefined if it has more bytes than `max`. */
export async function readBody(request: IncomingMessage, max: number): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > max) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    bytes += (chunk as Buffer).length;
    if (bytes > max) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}
