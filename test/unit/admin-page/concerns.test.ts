import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Token } from '#lib/client/index';
import { DAY_MS, withoutZone } from '#lib/time';
import { CONCERNS, concernsOf } from '../../../infra/admin-page/accounts/concerns.ts';
import { all, field, openPage, perform, press, settle, texts } from './opened.ts';

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

/** The rows of the tokens, not of the administrators. */
const ROWS = 'table:not(:has(.person)) tbody tr';

describe('a token', () => {
  test.each<[string, Partial<Token>, string[]]>([
    ['in use', {}, []],
    ['last used 90 days ago', { token_used_at: days(-90) }, ['unused']],
    ['last used later than that', { token_used_at: days(-90 + MS) }, []],
    ['new and never used', { token_created_at: days(0), token_used_at: days(0) }, ['never']],
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

describe('the screen', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
    left = [GOOD, old];
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const endless = Array.from({ length: 60 }, (_, n) => ({
    ...GOOD,
    name: `t${n + 10}`,
    token_expires_at: null,
  }));
  const old = { ...GOOD, name: 'old', token_used_at: days(-100), token_created_by: 'carl' };

  let left: object[];

  const open = async (concern = '', passkeys: Readonly<Record<string, object[]>> = {}) => {
    const opened = await openPage({
      address: `#attention?concern=${concern}`,
      answers: {
        'account/browse': ({ query }) => ({
          items: query['owner_gone']
            ? []
            : query['counter_fell']
              ? Object.keys(passkeys).flatMap((username) =>
                  username === 'dan' ? [{ id: 'u-4', username }] : [],
                )
              : [
                  { id: 'u-1', username: 'ada', isactive: true },
                  { id: 'u-2', username: 'bea', isactive: true },
                  { id: 'u-3', username: 'cora', isactive: false },
                ],
        }),
        'account/passkeys/': ({ path }) => ({ items: passkeys[`${path.split('/').at(-1)}`] ?? [] }),
        'token/browse': ({ query }) =>
          query['cursor'] ? { items: left } : { items: endless, next_cursor: 'more' },
        'token/delete': () => {
          left = [GOOD];
          return {};
        },
      },
    });
    await settle();
    return opened;
  };

  test('counts the tokens of all pages by their reasons, and reads each page once', async () => {
    const { of } = await open();
    expect(texts('nav[aria-label=Reasons] a')).toEqual([
      'All 61',
      'Made by a former administrator 1',
      'Ends within 14 days 0',
      'Unused for 90 days 1',
      'Never used 0',
      'Without an end 60',
    ]);
    expect(of('token/browse').map(({ query }) => query['cursor'])).toEqual([undefined, 'more']);
    expect(of('account/browse').map(({ query: { limit: _, ...asked } }) => asked)).toEqual([
      { counter_fell: 'true' },
      { kind: 'machine', owner_gone: 'true' },
      { role: 'sys_administrator' },
    ]);
  });

  test('shows the tokens of a reason with what to do, and all of them page by page', async () => {
    const { of } = await open('endless');
    expect(all(ROWS)).toHaveLength(50);
    await press('Next page');
    expect([all(ROWS).length, texts('.foot > span').at(-1)]).toEqual([10, '51 to 60 of 60']);
    await press('Made by a former administrator 1');
    expect(texts('tbody .chip')).toEqual(['Made by carl, no administrator', 'Unused for 90 days']);
    expect(all('p', CONCERNS['maker']?.next)).toHaveLength(1);
    expect(of('token/browse')).toHaveLength(2);
  });

  test('reads the tokens again when one is deleted', async () => {
    const { of } = await open('maker');
    await perform('Delete');
    expect(of('token/delete').map(({ path }) => path)).toEqual(['token/delete/old/bob']);
    await settle();
    expect(of('token/browse')).toHaveLength(4);
    expect(all(ROWS)).toHaveLength(0);
  });

  test('shows the tokens of another reason, from the first page too', async () => {
    await open('endless');
    await press('Unused for 90 days 1');
    expect(all(ROWS)).toHaveLength(1);
  });

  test('lists active administrators without a passkey, and the passkeys that they do not use', async () => {
    const used = { name: 'phone', created_at: days(-300), used_at: days(-1) };
    const idle = { name: 'key', created_at: days(-300), used_at: days(-120) };
    const { of } = await open('', { bea: [used, idle, { ...idle, name: 'spare', used_at: null }] });
    expect(texts('table:has(.person) td')).toEqual([
      'No passkey',
      'key: last used 4 months agospare: never used',
    ]);
    expect(of('account/passkeys').map(({ path }) => path)).toEqual([
      'account/passkeys/ada',
      'account/passkeys/bea',
    ]);
  });

  test('lists the passkeys of all accounts that are refused because of their counters, and what to do', async () => {
    const fine = { name: 'phone', created_at: days(-1), used_at: days(-1), counter_fell_at: null };
    const fallen = { ...fine, name: 'key', counter_fell_at: days(-1) };
    const { of } = await open('', { dan: [fine, fallen] });
    const [cell = ''] = texts('table:has(.person) td');
    expect(cell).toMatch(/^keyRefused since .*: its counter fell back\./);
    expect(cell).toContain('Remove the passkey, and create it again.');
    expect(of('account/passkeys/dan')).toHaveLength(1);
  });

  test('says so when no passkey is refused because of its counter', async () => {
    await open();
    expect(all('.empty p', 'No passkey was refused because of its counter.')).toHaveLength(1);
  });

  test('says so when every administrator uses a passkey', async () => {
    const used = [{ name: 'phone', created_at: days(-300), used_at: days(-1) }];
    await open('', { ada: used, bea: used });
    expect(all('.empty p', 'Every administrator has a passkey and uses it.')).toHaveLength(1);
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
