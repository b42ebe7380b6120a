import { expect, test, vi } from 'vitest';
import { etagOf, namesUser } from '#lib/account/profile/etag';

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

test('namesUser finds the user in If-Match, with any other parts', () => {
  for (const header of [alone, whole, `"x", ${whole}`, ' * '])
    expect(namesUser(header, user), header).toBe(true);
  for (const header of ['', `W/${alone}`, alone.slice(1, -1), other, `"x.${whole.slice(1)}`])
    expect(namesUser(header, user), header).toBe(false);
});

test('namesUser computes the digest of the user once for all tags', () => {
  const toJSON = vi.fn(() => user);
  expect(namesUser('"",'.repeat(3000), { toJSON })).toBe(false);
  expect(toJSON).toHaveBeenCalledTimes(1);
});
