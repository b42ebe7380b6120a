import { promisify } from 'node:util';
import preferredEncodings from 'negotiator/lib/encoding.js';
import type { EndpointMiddleware } from './request.ts';

/** Loaded by the first answer that needs it, as it would make each cold start longer. */
const zlib = () => process.getBuiltinModule('node:zlib');

/** Size up to which the header costs more bytes than compression saves. */
const MIN_BYTES = 1024;

/** Whether a client prefers gzip to no compression (RFC 9110 section 12.5.3). */
export const prefersGzip = (headers: Readonly<Record<string, string | undefined>>): boolean =>
  preferredEncodings(headers['accept-encoding'], ['gzip', 'identity'])[0] === 'gzip';

/** Compresses answers above 1 KiB with gzip if the client accepts it. */
export const compression = (): EndpointMiddleware => ({
  after: async ({ event: { event }, response }) => {
    if (!response) return;
    response.headers['vary'] = 'Accept-Encoding';
    // As in a 304: there is nothing to compress or to decompress.
    if (response.body === '') return;
    if (Buffer.byteLength(response.body) <= MIN_BYTES || !prefersGzip(event.headers)) return;
    response.body = (await promisify(zlib().gzip)(response.body)).toString('base64');
    response.isBase64Encoded = true;
    response.headers['content-encoding'] = 'gzip';
  },
});
