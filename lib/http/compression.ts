import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import Negotiator from 'negotiator';
import type { EndpointMiddleware } from './request.ts';

/** Below this many bytes the header costs more than compression saves. */
const MIN_BYTES = 1024;

/** Whether a client prefers gzip to no compression (RFC 9110 section 12.5.3). */
export const prefersGzip = (headers: Readonly<Record<string, string | undefined>>): boolean =>
  new Negotiator({ headers }).encoding(['gzip', 'identity']) === 'gzip';

/** Compresses answers above 1 KiB with gzip where the client accepts it; base64 is of what was compressed before. */
export const compression = (): EndpointMiddleware => ({
  after: async ({ event, response }) => {
    if (!response) return;
    response.headers['vary'] = 'Accept-Encoding';
    const accepted = prefersGzip(event.headers);
    if (response.isBase64Encoded) {
      if (accepted) response.headers['content-encoding'] = 'gzip';
      else response.body = (await promisify(gunzip)(Buffer.from(response.body, 'base64'))).toString('base64');
      return;
    }
    if (Buffer.byteLength(response.body) <= MIN_BYTES || !accepted) return;
    response.body = (await promisify(gzip)(response.body)).toString('base64');
    response.isBase64Encoded = true;
    response.headers['content-encoding'] = 'gzip';
  },
});
