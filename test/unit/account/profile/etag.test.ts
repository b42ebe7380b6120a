import { expect, test } from 'vitest';
import { etagOf, hasCurrent, namesUser } from '#lib/account/profile/etag';

const user = { username: 'ada', user_properties: { root: {} } };
const other = etagOf({ user: { ...user, username: 'bob' } });
const alone = etagOf({ user });
const whole = etagOf({ user, roles: [] });

test('etagOf returns a quoted tag that differs for another user or other parts', () => {
  expect(alone).toMatch(/^"[\w-]{22}"$/);
  expect(whole).toMatch(/^"[\w-]{22}\.[\w-]{22}"$/);
  const all = [alone, whole, other, etagOf({ user, roles: ['a'] }), etagOf({ user, apps: [] })];
  expect(new Set(all).size).toBe(all.length);
  expect(etagOf({ user: structuredClone(user) })).toBe(alone);
});

test.each([
  ...[whole, `W/${whole}`, `"x", ${whole}`, `"x",W/${whole},"y"`, '*', ' * '].map(
    (it) => [it, true] as const,
  ),
  ...[undefined, '', alone, whole.slice(1, -1), `x${whole.slice(1)}`, '"*"'].map(
    (it) => [it, false] as const,
  ),
])('hasCurrent finds the tag in If-None-Match: %s is %j', (header, expected) => {
  expect(hasCurrent(header, whole)).toBe(expected);
});

test.each([
  ...[alone, whole, `"x", ${whole}`, '*'].map((it) => [it, true] as const),
  ...['', `W/${alone}`, alone.slice(1, -1), other, `"x.${whole.slice(1)}`].map((it) => [it, false] as const),
])('namesUser finds the user in If-Match, with any other parts: %s is %j', (header, expected) => {
  expect(namesUser(header, user)).toBe(expected);
});
