import { expect, test } from 'vitest';
import { sessionCookie } from '#lib/session/session-cookie';
import { gatewayEvent } from '../support/gateway-event.ts';

test.each([
  [
    'keeps a session from scripts, other sites and plain http',
    { protocol: 'https', value: 'a.b.c', maxAge: 86_400, secure: 'Secure; ' },
  ],
  [
    'removes a session with the same attributes',
    { protocol: 'https', value: '', maxAge: 0, secure: 'Secure; ' },
  ],
  [
    'is not Secure on the loopback of a local instance',
    { protocol: 'http', value: 'a.b.c', maxAge: 60, secure: '' },
  ],
])('the session cookie %s', (_name, { protocol, value, maxAge, secure }) => {
  const event = gatewayEvent({ headers: { 'x-forwarded-proto': protocol } });
  expect(sessionCookie(event, value, maxAge)).toBe(
    `ptoken=${value}; Path=/; HttpOnly; ${secure}SameSite=Lax; Max-Age=${maxAge}`,
  );
  expect(sessionCookie(gatewayEvent(), value, maxAge)).toContain('; Secure; ');
});

test('the session cookie is refused when browsers would ignore it, beyond 4,096 bytes', () => {
  const cookieOf = (value: string) => sessionCookie(gatewayEvent(), value, 60);
  const longest = 'x'.repeat(4096 - cookieOf('').length);
  expect(cookieOf(longest)).toHaveLength(4096);
  expect(() => cookieOf(`${longest}x`)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
});
