import { expect, test } from 'vitest';
import { sessionCookie } from '#lib/session/session-cookie';
import { gatewayEvent } from '../support/gateway-event.ts';

test.each([
  ['keeps a session from scripts, other sites and plain http', 'https', 'a.b.c', 86_400, 'Secure; '],
  ['removes a session with the same attributes', 'https', '', 0, 'Secure; '],
  ['is not Secure on the loopback of a local instance', 'http', 'a.b.c', 60, ''],
])('the session cookie %s', (_name, protocol, value, maxAge, secure) => {
  const event = gatewayEvent({ headers: { 'x-forwarded-proto': protocol } });
  expect(sessionCookie(event, value, maxAge)).toBe(
    `ptoken=${value}; Path=/; HttpOnly; ${secure}SameSite=Lax; Max-Age=${maxAge}`,
  );
  expect(sessionCookie(gatewayEvent(), value, maxAge)).toContain('; Secure; ');
});
