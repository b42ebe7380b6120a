import { expect, test } from 'vitest';
import { sessionIdIn } from '#lib/session/session-id';

const JTI = '0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b';
const tokenOf = (payload: unknown) => `e30.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.sig`;

test('the ID of a session is that of its token', () => {
  expect(sessionIdIn(tokenOf({ sub: 'ÿÿ?~', jti: JTI }))).toBe(JTI);
});

test.each([
  ['an ID that is no UUID', tokenOf({ jti: '"><script>' })],
  ['a UUID with more text', tokenOf({ jti: `${JTI}"` })],
  ['an ID that is no text', tokenOf({ jti: [JTI] })],
  ['no ID', tokenOf({})],
  ['no object', tokenOf(null)],
  ['no JSON', 'e30.eA.sig'],
  ['no base64url', 'e30.%%%.sig'],
  ['one part', 'x'],
  ['nothing', ''],
])('a token with %s has no ID', (_what, token) => {
  expect(sessionIdIn(token)).toBe('');
});
