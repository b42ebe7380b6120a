import { expect, test } from 'vitest';
import { sessionCookie } from '#lib/session/session-cookie';
import { gatewayEvent } from '../support/gateway-event.ts';

test('the cookie is out of reach of scripts, other sites and plain http', () => {
  expect(sessionCookie(gatewayEvent(), 'a.b.c', 86_400)).toBe(
    'ptoken=a.b.c; Path=/; HttpOnly; Secure; SameSite=Lax; Max-Age=86400',
  );
});

test('it is removed with the same attributes', () => {
  expect(sessionCookie(gatewayEvent(), '', 0)).toBe(
    'ptoken=; Path=/; HttpOnly; Secure; SameSite=Lax; Max-Age=0',
  );
});

test('on the loopback of a local instance it is not Secure', () => {
  const event = gatewayEvent({ headers: { 'x-forwarded-proto': 'http' } });
  expect(sessionCookie(event, 'a.b.c', 60)).toBe('ptoken=a.b.c; Path=/; HttpOnly; SameSite=Lax; Max-Age=60');
});
