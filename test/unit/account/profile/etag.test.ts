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

test('etagOf differs by the one-time code, and namesUser ignores it', () => {
  const none = { code_expires_at: null, code_created_at: null, code_created_by: null };
  const shown = { ...user, ...none };
  const open = { ...shown, code_created_at: 'now' };
  const [closed, opened] = [etagOf({ user: shown }), etagOf({ user: open })];
  expect(new Set([alone, closed, opened]).size).toBe(3);
  for (const tag of [closed, opened]) expect(namesUser(tag, user)).toBe(true);
});

test('etagOf differs by the lockout, and namesUser ignores it', () => {
  const block = { cause: 'attempts', since: 'then', until: 'later' };
  const all = [null, block, { ...block, until: 'soon' }].map((login_block) =>
    etagOf({ user: { ...user, login_block } }),
  );
  expect(new Set([alone, ...all]).size).toBe(4);
  for (const tag of all) expect(namesUser(tag, user)).toBe(true);
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
