import { type GatewayEvent, originOf } from '../contract/gateway-event.ts';

/**
 * Builds the cookie that carries a session token (RFC 6265). It is `Secure` unless the request came over plain http,
 * which only a local instance on loopback accepts.
 *
 * @param maxAge in seconds; 0 removes the cookie
 */
export function sessionCookie(event: GatewayEvent, value: string, maxAge: number): string {
  const secure = originOf(event).startsWith('https:') ? ['Secure'] : [];
  return [`ptoken=${value}`, 'Path=/', 'HttpOnly', ...secure, 'SameSite=Lax', `Max-Age=${maxAge}`].join('; ');
}
