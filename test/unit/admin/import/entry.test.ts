import { expect, test } from 'vitest';
import { checked, type Entry, type Fault } from '#infra/admin/import/entry';
import { exported } from '#infra/admin/import/export';
import { accountOf } from '#lib/account/create';
import { lockedOn } from '#lib/account/lock-terms';
import type { Runtime } from '#lib/runtime';
import { withOffset } from '#lib/time';
import { identityV2 } from '../../support/identity-hash.ts';
import { FILLED_IN, membership, NOON } from '../../support/items.ts';

const team = (team_short: string) => membership(1, { team_id: `id-${team_short}`, team_short });
const teams = new Map([
  ['ops', team('OPS')],
  ['dev', team('Dev')],
]);
const HASH = identityV2('hunter2');
const check = (value: Record<string, unknown>, force = false) =>
  checked({ line: 7, value }, teams, { force });

test('checked answers the account with its teams and its state', async () => {
  expect(await check({ username: 'Ada', teams: ['dev', 'OPS', 'ops'], roles: ['sys_tokens'] })).toEqual({
    line: 7,
    source: expect.objectContaining({ line: 7 }),
    draft: expect.objectContaining({ username: 'Ada', apps: ['core'], roles: ['sys_tokens'] }),
    memberships: [teams.get('dev'), teams.get('ops')],
    isactive: true,
    islocked: false,
  });
});

test.each([
  ['no name', {}, ['username']],
  ['a reserved name', { username: 'API' }, ['username']],
  ['several fields', { username: 'a b', user_color: 'red', roles: 'r' }, ['user_color', 'username', 'roles']],
  ['a password that is too short', { username: 'ada', password: 'hunter2' }, ['password']],
  ['a common password', { username: 'ada', password: 'Password1' }, ['password']],
  ['a password of the known words', { username: 'hunter2', password: 'hunter2!2026' }, ['password']],
  ['a password hash of no known form', { username: 'ada', password_hash: 'hunter2' }, ['password_hash']],
  [
    'a password and a hash of it',
    { username: 'ada', password: 'hunter2-hunter2', password_hash: HASH },
    ['password_hash'],
  ],
  ['a name like a credential', { username: 'eyJhbGci' }, ['username']],
  ['a control character', { username: 'ada', user_last_name: 'x\n' }, ['user_last_name']],
  ['an unknown team', { username: 'ada', teams: ['ops', 'hunter2'] }, ['teams.1']],
  ['an unknown role of the service', { username: 'ada', roles: ['sys_hunter2'] }, ['roles.0']],
  ['a reason without a lock', { username: 'ada', lock_reason: 'hunter2' }, ['islocked']],
  ['a state that is not a boolean', { username: 'ada', isactive: 'no' }, ['isactive']],
])('checked names the line and the fields of %s', async (_what, value, fields) => {
  const fault = (await check(value)) as Fault;
  expect(fault.line).toBe(7);
  expect(fault.errors.map(({ field }) => field || 'body')).toEqual(fields);
  expect(JSON.stringify(fault)).not.toContain('hunter2');
});

test('checked keeps a password in the spelling that is hashed, and only an unknown role with --force', async () => {
  const entry = await check({ username: 'ada', password: 'di\ufb03cult', roles: ['sys_admin'] }, true);
  expect(entry).toMatchObject({ draft: { password: 'difficult', roles: ['sys_admin'] }, isactive: true });
  expect(await check({ username: 'ada', password: 'Password1' }, true)).toHaveProperty('errors');
});

test('exported answers every key that import accepts, as it was imported', async () => {
  const given = {
    username: 'Ada',
    ...FILLED_IN,
    emailconfirmed: true,
    lockoutenabled: false,
    apps: ['crm', 'core'],
    roles: ['editor'],
    teams: ['Dev', 'OPS'],
    user_properties: { root: {}, a: 1 },
    isactive: false,
    islocked: true,
    lockoutend: withOffset(NOON + 1),
    lock_reason: 'fraud',
  };
  const {
    draft,
    memberships,
    isactive,
    lockoutend: until,
    lock_reason: reason,
  } = (await check(given)) as Entry;
  const runtime = { uuid: () => 'an id' } as Runtime;
  const account = accountOf(runtime, draft, memberships, 0);
  const properties = JSON.stringify(draft.user_properties);
  expect(exported({ ...account, isactive, ...lockedOn({ until, reason }) }, properties, NOON)).toEqual(given);
  const asDefault = { ...account, team_id: 'id-OPS', user_app_name: 'core' };
  expect(exported(asDefault, undefined, NOON)).toMatchObject({
    teams: ['OPS', 'Dev'],
    apps: ['core', 'crm'],
  });
  const lockedOut = { ...account, lockoutend: withOffset(NOON + 1) };
  expect(exported(lockedOut, undefined, NOON)).not.toHaveProperty('islocked');
  const text = JSON.stringify(exported(account, properties, NOON));
  for (const secret of ['stamp', 'hash', 'password', 'an id']) expect(text).not.toContain(secret);
});
