import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { EndpointMiddleware } from './request.ts';
import { weightsOf } from './weights.ts';

/** Below this many bytes the header costs more than compression saves. */
const MIN_BYTES = 1024;

/** Whether `Accept-Encoding` (RFC 9110 section 12.5.3) admits gzip. */
export function acceptsGzip(header = ''): boolean {
  const weights = weightsOf(header);
  return (weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0) > 0;
}

/** Compresses answers above 1 KiB with gzip where the client accepts it. */
export const compression = (): EndpointMiddleware => ({
  after: async ({ event, response }) => {
    if (!response) return;
    response.headers['vary'] = 'Accept-Encoding';
    if (Buffer.byteLength(response.body) <= MIN_BYTES || !acceptsGzip(event.headers['accept-encoding']))
      return;
    response.body = (await promisify(gzip)(response.body)).toString('base64');
    response.isBase64Encoded = true;
    response.headers['content-encoding'] = 'gzip';
  },
});
