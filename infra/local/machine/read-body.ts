import type { IncomingMessage } from 'node:http';

/** Reads a body; undefined where it has more bytes than `max`. */
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
