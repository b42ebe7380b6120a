import { describe, expect, test } from 'vitest';
import { createAccount } from '#lib/account/create';
import { createTeam } from '#lib/account/team';
import { verifyPassword } from '#lib/password/hash';
import { readStatistics } from '#lib/stats/statistics';
import { accountKey, passwordKey, propertiesKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { NOON, openTestTable } from '../support/engine.ts';

const { table, runtime, account, operations } = await openTestTable();

const idOf = (n: number) => `00000000-0000-7000-8000-00000000000${n}`;

/** A runtime whose ids are counted from 1. */
function counting() {
  let n = 0;
  return {
    ...runtime,
    uuid: () => {
      n += 1;
      return idOf(n);
    },
  };
}

const NOW = '2026-11-20T12:00:00.000';

test('an account that is given nothing has the defaults', async () => {
  const created = await createAccount(counting(), { username: 'zoe' });
  const expected = {
    phonenumber: '',
    user_first_name: '',
    user_last_name: '',
    user_color: '#3F51B5',
    user_short: 'ZO',
    user_currency: 'EUR',
    username: 'zoe',
    emailconfirmed: false,
    lockoutenabled: true,
    id: idOf(1),
    stamp: idOf(2),
    isactive: true,
    created_at: NOW,
    lastActivity: NOW,
    never_used: true,
    roles: [],
    apps: ['core'],
    user_app_name: 'core',
    teams: [],
    team_id: '',
    team_name: '',
    token_count: 0,
    user_home: null,
    user_avatar: null,
  };
  expect(created).toEqual(expected);
  expect(await get(table, accountKey('zoe'))).toEqual({
    PK: 'ACCOUNT#zoe',
    SK: 'ACCOUNT',
    GSI1PK: 'ACCOUNTS#5',
    GSI1SK: 'zoe',
    ...expected,
  });
  expect(await get(table, passwordKey('zoe'))).toBeUndefined();
  expect(await get(table, propertiesKey('zoe'))).toBeUndefined();
});

test('an account has all that it is given', async () => {
  const [ops, dev] = [
    await createTeam(runtime, { short: 'Ops', name: 'Operations', type: 'internal' }),
    await createTeam(runtime, { short: 'dev', name: 'Development', type: 'external' }),
  ];
  const given = {
    username: 'Ada.Lovelace',
    phonenumber: '+43 1 234',
    user_first_name: 'Ada',
    user_last_name: 'Lovelace',
    user_color: '#a1B2c3',
    user_short: 'AdLo',
    user_currency: 'CHF',
    emailconfirmed: true,
    lockoutenabled: false,
    apps: ['billing', 'core', 'billing'],
    roles: ['b', 'a', 'b'],
  };
  const created = await createAccount(counting(), {
    ...given,
    password: 'correct horse',
    user_properties: { theme: 'dark' },
    teams: ['DEV', 'ops', 'dev'],
  });
  const expected = {
    ...given,
    id: idOf(1),
    stamp: idOf(2),
    isactive: true,
    created_at: NOW,
    lastActivity: NOW,
    never_used: true,
    roles: ['b', 'a'],
    apps: ['billing', 'core'],
    user_app_name: 'billing',
    teams: [
      { ...dev, teamuser_lvl: null },
      { ...ops, teamuser_lvl: null },
    ],
    team_id: dev.team_id,
    team_name: 'Development',
    token_count: 0,
    user_home: null,
    user_avatar: null,
  };
  expect(created).toEqual(expected);
  expect(await get(table, accountKey('ada.lovelace'))).toEqual({
    PK: 'ACCOUNT#ada.lovelace',
    SK: 'ACCOUNT',
    GSI1PK: 'ACCOUNTS#2',
    GSI1SK: 'ada.lovelace',
    ...expected,
  });
  const password = await get(table, passwordKey('ada.lovelace'));
  expect(password).toEqual({
    PK: 'PASSWORD#ada.lovelace',
    SK: 'PASSWORD',
    hash: expect.stringMatching(/^\$2b\$10\$/),
  });
  expect(await verifyPassword('correct horse', password?.hash, 10)).toBe(true);
  expect(await get(table, propertiesKey('ada.lovelace'))).toEqual({
    PK: 'ACCOUNT#ada.lovelace',
    SK: 'PROPERTIES',
    json: '{"root":{},"theme":"dark"}',
  });
});

test('an account that is given undefined values has the defaults', async () => {
  const undefinedOnes = Object.fromEntries(
    [
      'password',
      'phonenumber',
      'user_first_name',
      'user_color',
      'user_short',
      'user_currency',
      'user_properties',
      'emailconfirmed',
      'lockoutenabled',
      'apps',
      'roles',
      'teams',
    ].map((name) => [name, undefined]),
  );
  expect(await account({ username: 'undefined', ...undefinedOnes })).toMatchObject({
    phonenumber: '',
    user_first_name: '',
    user_color: expect.stringMatching(/^#[0-9A-F]{6}$/),
    user_short: 'UN',
    user_currency: 'EUR',
    emailconfirmed: false,
    lockoutenabled: true,
    apps: ['core'],
    roles: [],
    teams: [],
  });
});

test('the initials are of the names that are given', async () => {
  expect(await account({ user_first_name: 'grace', user_last_name: 'hopper' })).toMatchObject({
    user_short: 'GH',
  });
});

describe('a new account', () => {
  test('is counted once, and as active on no day', async () => {
    const before = await readStatistics(table, NOON);
    await account({ username: 'counted' });
    const { count, locked, last_week, today } = await readStatistics(table, NOON);
    expect({ count, locked, last_week, today }).toEqual({
      count: before.count + 1,
      locked: before.locked,
      last_week: before.last_week,
      today: before.today,
    });
  });

  test('without teams takes one transaction', async () => {
    await account();
    expect(operations()).toEqual(['TransactWriteItems']);
  });
});

describe('a username that is taken', () => {
  test.each(['Taken', 'taken', 'TAKEN'])('is refused as %s, and nothing is written', async (username) => {
    const known = await get(table, accountKey('taken'));
    const first = known ?? (await account({ username: 'Taken', user_properties: { a: 1 } }));
    const [counters, item] = [await readStatistics(table, NOON), await get(table, accountKey('taken'))];
    await expect(
      account({ username, password: 'correct horse', user_properties: { b: 2 }, roles: ['r'] }),
    ).rejects.toMatchObject({ code: 'account_exists' });
    expect(item).toMatchObject({ id: first.id });
    expect(await get(table, accountKey('taken'))).toEqual(item);
    expect(await get(table, passwordKey('taken'))).toBeUndefined();
    expect(await get(table, propertiesKey('taken'))).toMatchObject({ json: '{"root":{},"a":1}' });
    expect(await readStatistics(table, NOON)).toEqual(counters);
  });

  test('is given to one of two who ask at once', async () => {
    const outcomes = await Promise.allSettled(['twice', 'TWICE'].map((username) => account({ username })));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'account_exists' },
    });
  });
});
