import { createHash } from 'node:crypto';
import type { EndpointMiddleware } from './request.ts';

/** Weak: the same answer may come compressed or not (RFC 9110 section 8.8.1). */
const etagOf = (body: string) => `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;

/** Whether `If-None-Match` names the answer, by weak comparison (RFC 9110 section 13.1.2). */
const names = (header: string, etag: string) =>
  header.trim() === '*' ||
  header.split(',').some((each) => each.trim().replace(/^W\//, '') === etag.replace(/^W\//, ''));

/** Gives a success its ETag, and answers 304 without a body where the client has it. */
export const revalidation = (): EndpointMiddleware => ({
  after: ({ event, response }) => {
    if (!response) return;
    const etag = etagOf(response.body);
    response.headers['etag'] = etag;
    if (!names(event.headers['if-none-match'] ?? '', etag)) return;
    response.statusCode = 304;
    response.body = '';
  },
});
