import { describe, expect, test } from 'vitest';
import type { Token } from '#lib/client/index';
import { DAY_MS, withoutZone } from '#lib/time';
import { concernsOf } from '../../../infra/admin-page/accounts/concerns.ts';
import { field, openPage, settle } from './opened.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const days = (number: number) => withoutZone(NOW + number * DAY_MS);

/** A token that needs no attention. */
const GOOD: Token = {
  username: 'bob',
  userid: 'u-1',
  loginprovider: 'api',
  name: 'good',
  value: null,
  token_created_at: days(-200),
  token_used_at: days(-1),
  token_created_by: 'Ada',
  token_expires_at: days(100),
  token_last4: null,
  token_description: null,
  token_access: 'full',
  token_roles: null,
  token_addresses: null,
};

const MS = 1 / DAY_MS;

describe('a token', () => {
  test.each<[string, Partial<Token>, string[]]>([
    ['in use', {}, []],
    ['last used 90 days ago', { token_used_at: days(-90) }, ['unused']],
    ['last used later than that', { token_used_at: days(-90 + MS) }, []],
    ['new and never used', { token_created_at: days(-7 + MS), token_used_at: days(-7 + MS) }, []],
    ['never used for a week', { token_created_at: days(-7), token_used_at: days(-7) }, ['never']],
    ['in its first hour', { token_created_at: days(-1 / 24 + MS), token_expires_at: null }, []],
    ['after its first hour', { token_created_at: days(-1 / 24), token_expires_at: null }, ['endless']],
    ['old and never used', { token_used_at: days(-200) }, ['unused', 'never']],
    ['without an end', { token_expires_at: null }, ['endless']],
    ['that ends in 14 days', { token_expires_at: days(14) }, []],
    ['that ends sooner', { token_expires_at: days(14 - MS) }, ['ending']],
    ['that its owner created', { username: 'Bob', token_created_by: 'BOB' }, []],
    ['of a maker without the role', { token_created_by: 'carl' }, ['maker']],
    ['of an operator', { token_created_by: 'operator:carl' }, []],
    ['of an erased maker', { token_created_by: 'erased:0199a1b2' }, ['maker']],
  ])('%s has its concerns', (_title, fields, expected) => {
    const present = { now: NOW, administrators: new Set(['ada']) };
    expect(concernsOf({ ...GOOD, ...fields }, present)).toEqual(expected);
  });
});

test('tokens can be listed by their creator, and by the time since which nothing used them', async () => {
  const { of } = await openPage({
    address: '#owners?unused_since=2026-08-01',
    answers: { 'account/browse': () => ({ items: [] }), 'token/browse': () => ({ items: [GOOD] }) },
  });
  await settle();
  const midnight = new Date('2026-08-01T00:00').toISOString();
  expect(of('token/browse').map(({ query }) => query['unused_since'])).toEqual([midnight]);
  expect([field('Created by').value, field('Unused since').value]).toEqual(['', '2026-08-01']);
});
