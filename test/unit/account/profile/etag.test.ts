import { describe, expect, test } from 'vitest';
import { etagOf, hasCurrent, namesUser } from '#lib/account/profile/etag';

const user = { username: 'ada', user_properties: { root: {} } };
const changed = { ...user, username: 'bob' };
const alone = etagOf({ user });
const whole = etagOf({ user, roles: [] });

test('etagOf returns a quoted tag that differs for another user or other parts', () => {
  expect(alone).toMatch(/^"[\w-]{22}"$/);
  expect(whole).toMatch(/^"[\w-]{22}\.[\w-]{22}"$/);
  const all = [
    alone,
    whole,
    etagOf({ user: changed }),
    etagOf({ user, roles: ['a'] }),
    etagOf({ user, apps: [] }),
  ];
  expect(new Set(all).size).toBe(all.length);
  expect(etagOf({ user: structuredClone(user) })).toBe(alone);
});

describe('If-None-Match', () => {
  test.each([whole, `W/${whole}`, `"x", ${whole}`, `"x",W/${whole},"y"`, '*', ' * '])(
    'hasCurrent finds the tag in %s',
    (header) => {
      expect(hasCurrent(header, whole)).toBe(true);
    },
  );

  test.each([undefined, '', alone, whole.slice(1, -1), `x${whole.slice(1)}`, '"*"'])(
    'hasCurrent does not find the tag in %s',
    (header) => {
      expect(hasCurrent(header, whole)).toBe(false);
    },
  );
});

describe('If-Match', () => {
  test.each([alone, whole, `"x", ${whole}`, '*'])(
    'namesUser finds the user in %s, with any other parts',
    (header) => {
      expect(namesUser(header, user)).toBe(true);
    },
  );

  test.each(['', `W/${alone}`, alone.slice(1, -1), etagOf({ user: changed }), `"x.${whole.slice(1)}`])(
    'namesUser does not find the user in %s',
    (header) => {
      expect(namesUser(header, user)).toBe(false);
    },
  );
});
