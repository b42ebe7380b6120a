import { type GatewayEvent, originOf } from '../contract/gateway-event.ts';
import { invalid } from '../failure/failure.ts';

/** Bytes that browsers accept, with the attributes (RFC 6265 section 6.1). They ignore a longer cookie. */
const MAX_BYTES = 4096;

/**
 * Builds the cookie that carries a session token (RFC 6265). It is `Secure` unless the request came over plain http,
 * which only a local instance on loopback accepts.
 *
 * @param maxAge in seconds; 0 removes the cookie
 * @throws Failure `invalid_request` for a session that is too long, with many limits
 */
export function sessionCookie(event: GatewayEvent, value: string, maxAge: number): string {
  const secure = originOf(event).startsWith('https:') ? ['Secure'] : [];
  const parts = [`ptoken=${value}`, 'Path=/', 'HttpOnly', ...secure, 'SameSite=Lax', `Max-Age=${maxAge}`];
  const cookie = parts.join('; ');
  if (cookie.length > MAX_BYTES)
    throw invalid('createCookie', 'Must be false, since the limits of this token are too long for a cookie');
  return cookie;
}
