import type { GatewayEvent } from '../contract/gateway-event.ts';

/**
 * The cookie that carries a session token (RFC 6265). It is `Secure` unless the request came by plain http,
 * which the gateway says in `x-forwarded-proto` and which only happens on the loopback of a local instance.
 *
 * @param maxAge in seconds; 0 removes the cookie
 */
export function sessionCookie({ headers }: GatewayEvent, value: string, maxAge: number): string {
  const secure = headers['x-forwarded-proto'] === 'http' ? [] : ['Secure'];
  return [`ptoken=${value}`, 'Path=/', 'HttpOnly', ...secure, 'SameSite=Lax', `Max-Age=${maxAge}`].join('; ');
}
