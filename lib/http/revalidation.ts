import { digestOf, namesWeakly } from '../contract/entity-tag.ts';
import type { EndpointMiddleware } from './request.ts';

/** Adds an ETag to a success, and answers 304 without a body if the client has it. */
export const revalidation = (): EndpointMiddleware => ({
  after: ({ event: { event }, response }) => {
    if (response?.statusCode !== 200) return;
    const tag = `"${digestOf(response.body)}"`;
    // Weak, because the same answer may be compressed or not (RFC 9110 section 8.8.1).
    response.headers['etag'] = `W/${tag}`;
    if (!namesWeakly(event.headers['if-none-match'], tag)) return;
    response.statusCode = 304;
    response.body = '';
  },
});
