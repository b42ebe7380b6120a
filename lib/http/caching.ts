import { isSameSiteOnly } from '../auth/cross-site.ts';
import type { Contract } from '../contract/contract.ts';
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

/**
 * Adds `Vary: Origin` (RFC 9110 section 12.5.5) to answers of endpoints that check the origin of a cookie, and to all
 * answers if the gateway names the allowed origin in them.
 *
 * @param allowedOrigins the setting `CorsAllowedOrigins`
 */
export function variation(contract: Contract, allowedOrigins: readonly string[]): EndpointMiddleware {
  const vary: EndpointMiddleware['after'] = ({ event: { event }, response }) => {
    if (!response) return;
    if (allowedOrigins.length === 0 && !isSameSiteOnly(contract, event.requestContext.http.method)) return;
    const { vary: others } = response.headers;
    response.headers['vary'] = others === undefined ? 'Origin' : `${others}, Origin`;
  };
  return { after: vary, onError: vary };
}
