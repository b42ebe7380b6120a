import { expect, test } from 'vitest';
import { contract as create } from '#lib/account/create.contract';
import { createCode, makerOf } from '#lib/account/create-code';
import { createInvited } from '#lib/account/invite';
import { Answer } from '#lib/contract/answer';
import { parse } from '#lib/input/parse';
import { EVENT_TYPES } from '#lib/instance/settings';
import { type Account, FOREVER } from '#lib/item/account';
import type { CredentialLimits } from '#lib/item/token';
import { pendingEvents } from '#lib/outbox/outbox';
import { hashOfCode } from '#lib/password/code';
import { readStatistics } from '#lib/stats/statistics';
import { accountKey, codeKey, madeKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { remove } from '#lib/table/write';
import { HOUR_MS, withOffset } from '#lib/time';
import { type AccountOverrides, by, NOON, openTestTable } from '../support/engine.ts';
import { accountItem } from '../support/items.ts';
import { setAttributes } from '../support/set-attributes.ts';

const { table, wire, runtime, account, stored, team, operations, guardedBy } = await openTestTable({
  Events: EVENT_TYPES.join(','),
});
const ROOT = by('Root');
const CALLER = accountItem({ username: 'Root', code_generation: 2 });

/** Requests an account as the endpoint does; resolves to the data, and whether it is a repeated answer. */
async function request(body: object, key?: string, limits: CredentialLimits = {}, on = runtime) {
  const headers = { 'idempotency-key': key };
  const requested = { actor: ROOT, caller: CALLER, headers, limits, body: parse(create.body(), body) };
  const answer = await createInvited(on, requested);
  if (!(answer instanceof Answer)) throw new Error('The audit log gets no details');
  return { ...answer.data, again: !answer.changed, details: answer.details };
}

const count = async () => (await readStatistics(table, NOON)).count;
const codeOf = (username: string) => get(table, codeKey(username));
const events = () => pendingEvents(table);
const accountOf = (username: string) => get(table, accountKey(username));

test('createInvited creates an account, its event, code and record in one transaction', async () => {
  await team('FIN');
  const before = await count();
  const body = { username: 'ada', roles: ['new'], apps: ['crm'], teams: ['fin'], invite_hours: 2 };
  wire.reset();
  const made = await request(body, 'first');
  expect(operations()).toEqual(['GetItem', 'BatchGetItem', 'TransactWriteItems']);
  const added = { roles_added: ['new'], teams_added: ['FIN'], apps_added: ['crm'] };
  expect(made.details).toEqual({ ...added, invite_hours: 2 });
  const shown = { username: 'ada', team_name: 'Team FIN', user_app_name: 'crm', roles: 1, teams: 1 };
  expect(made).toMatchObject({ ...shown, code_expires_at: new Date(NOON + 2 * HOUR_MS).toISOString() });
  const { stamp = '', open_code } = (await accountOf('ada')) ?? {};
  expect(open_code).toEqual({ until: NOON + 2 * HOUR_MS, made_at: NOON, stamp });
  const code = {
    code_sha256: hashOfCode(made.code ?? ''),
    code_stamp: stamp,
    code_maker_generation: 2,
    expires_at: NOON + 2 * HOUR_MS,
  };
  expect(await codeOf('ada')).toMatchObject(code);
  expect(await count()).toBe(before + 1);
  const own = (await events()).filter(({ detail }) => JSON.stringify(detail).includes('ada'));
  expect(own).toMatchObject([{ detailType: 'user_create' }]);
  const record = JSON.stringify(await get(table, madeKey(ROOT.by, 'first')));
  for (const secret of [made.code ?? '-', 'first"']) expect(record).not.toContain(secret);
});

test('createInvited refuses the username of the caller', async () => {
  const root = await account({ roles: ['sys_administrator'] });
  const refused = request({ username: root.username }, undefined, {}, guardedBy(root));
  await expect(refused).rejects.toMatchObject({ code: 'account_exists' });
});

test('createInvited writes nothing when the account exists', async () => {
  const taken = await account();
  const state = () => Promise.all([count(), stored(taken), events()]);
  const before = await state();
  const body = { username: taken.username.toUpperCase(), invite_hours: 1 };
  await expect(request(body, 'taken')).rejects.toMatchObject({ code: 'account_exists' });
  expect(await state()).toEqual(before);
  expect(await codeOf(taken.username)).toBeUndefined();
  expect(await get(table, madeKey(ROOT.by, 'taken'))).toBeUndefined();
});

test('createInvited refuses an invitation, but no account, with a credential that has limits', async () => {
  const [limits, username] = [{ access: 'read' } as const, 'ivy'];
  const invited = request({ username, invite_hours: 1 }, 'the key', limits);
  await expect(invited).rejects.toMatchObject({ code: 'forbidden' });
  expect(await accountOf(username)).toBeUndefined();
  expect(await request({ username }, undefined, limits)).toMatchObject({ username });
});

test('createInvited answers a repeat with the account as it is, and the same code after a new login', async () => {
  const body = { username: 'eve', invite_hours: 5 };
  const made = await request(body, 'again');
  await setAttributes(table, (await accountOf('eve')) as Account, { user_short: 'X' });
  wire.reset();
  const repeated = await request(body, 'again');
  expect(repeated).toEqual({ ...made, user_short: 'X', again: true, details: undefined });
  expect(operations()).toEqual(['GetItem', 'GetItem']);
});

test.each<[string, object, CredentialLimits]>([
  ['name', { username: 'other' }, {}],
  ['field', { user_short: 'F' }, {}],
  ['credential', {}, { roles: ['sys_administrator'] }],
])('createInvited refuses a key that was used with another %s', async (what, change, limits) => {
  const body = { username: `fay-${what}` };
  await request(body, what);
  await expect(request({ ...body, ...change }, what, limits)).rejects.toMatchObject({
    code: 'idempotency_key_reused',
  });
});

test('createInvited gives a name to one of 20 requests at once', async () => {
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, n) => request({ username: 'gus' }, n % 2 ? `gus-${n}` : undefined)),
  );
  const refusals = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
  expect(refusals).toEqual(Array(19).fill('account_exists'));
});

const ENDING = { lockoutend: withOffset(NOON + 1), lock_reason: '' };
const make = (it: Account, hours?: number) => createCode(runtime, it, ROOT, {}, { hours });

test.each([
  [undefined, 24],
  [1, 1],
  [72, 72],
])('a one-time code replaces the one before, and ends after %s hours: %s', async (hours, expected) => {
  const ada = await account();
  const former = await createCode(runtime, ada, makerOf(CALLER), {});
  const end = NOON + expected * HOUR_MS;
  wire.reset();
  const { username, code, expires_at } = await make(ada, hours);
  expect(operations()).toEqual(['TransactWriteItems', 'UpdateItem']);
  const open_code = { until: end, made_at: NOON, stamp: ada.stamp };
  expect((await stored(ada)).open_code).toEqual(open_code);
  expect({ username, expires_at }).toEqual({
    username: ada.username,
    expires_at: new Date(end).toISOString(),
  });
  expect(await codeOf(ada.username)).toEqual({
    ...codeKey(username),
    code_sha256: hashOfCode(code),
    code_created_at: new Date(NOON).toISOString(),
    code_created_by: ROOT.by,
    code_stamp: ada.stamp,
    expires_at: end,
    ttl: end / 1000,
  });
  expect(code).not.toBe(former.code);
});

test.each<[string, AccountOverrides, string | undefined]>([
  ['a cancelled account', { isactive: false }, 'account_cancelled'],
  ['a cancelled and locked account', { isactive: false, lockoutend: FOREVER }, 'account_cancelled'],
  ['an account that an administrator has locked', { lockoutend: FOREVER }, 'account_locked'],
  ['an account whose lock has an end', ENDING, 'account_locked'],
  ['an account that is locked for a time', { lockoutend: withOffset(NOON + HOUR_MS) }, undefined],
])('a one-time code of %s is refused with: %s', async (_what, part, code) => {
  const ada = await account(part);
  const made = await make(ada).catch((error) => error);
  expect(made.username === undefined ? made.code : undefined).toBe(code);
  expect(code === undefined).toBe((await codeOf(ada.username)) !== undefined);
});

test('a one-time code is noted in its account unless that has a later one, and by nobody who was erased', async () => {
  const ada = await account();
  const later = { until: NOON + 3 * HOUR_MS, made_at: NOON + 1, stamp: ada.stamp };
  wire.before('UpdateItem', () => setAttributes(table, ada, { open_code: later }));
  await make(ada);
  expect((await stored(ada)).open_code).toEqual(later);
  const eve = await account();
  wire.before('UpdateItem', () => remove(table, accountKey(eve.username)));
  await make(eve);
  expect(await accountOf(eve.username)).toBeUndefined();
});

test('a one-time code is answered although its account could not note it', async () => {
  const ada = await account();
  wire.script((operation) =>
    operation === 'UpdateItem' ? { status: 400, body: { __type: 'Odd', message: 'x' } } : undefined,
  );
  const made = await make(ada);
  wire.reset();
  expect((await codeOf(ada.username))?.code_sha256).toBe(hashOfCode(made.code));
});

test('createInvited notes no code without an invitation', async () => {
  expect(await request({ username: 'hal' })).toMatchObject({ password_set: false, code_expires_at: null });
  expect(await accountOf('hal')).not.toHaveProperty('open_code');
});

test('a one-time code is created although roles changed in between', async () => {
  const ada = await account();
  await setAttributes(table, ada, { roles: ['a'] });
  expect((await make(ada)).username).toBe(ada.username);
});

test('a one-time code of an administrator’s own account has the guard as its only condition', async () => {
  const ada = await account({ roles: ['sys_administrator'] });
  const guarded = guardedBy(ada);
  expect((await createCode(guarded, ada, makerOf(ada), {})).username).toBe(ada.username);
  expect((await stored(ada)).open_code).toMatchObject({ own_generation: 0 });
  await setAttributes(table, ada, { roles: [] });
  await expect(createCode(guarded, ada, makerOf(ada), {})).rejects.toMatchObject({ code: 'forbidden' });
});

test.each<[string, CredentialLimits]>([
  ['access', { access: 'read' }],
  ['roles', { roles: [], expires_at: NOON + HOUR_MS }],
  ['addresses', { addresses: ['::1'] }],
])('a one-time code is refused to a credential with limits of %s', async (field, limits) => {
  const errors = [{ field, message: 'Requires a credential without limits' }];
  const made = createCode(runtime, await account(), ROOT, limits);
  await expect(made).rejects.toMatchObject({ code: 'forbidden', errors });
});

test('a one-time code is refused for an account that the table does not have', async () => {
  const unknown = accountItem({ username: 'nobody' });
  await expect(make(unknown)).rejects.toMatchObject({ code: 'account_not_found' });
});

test('a one-time code ends with the credential at the latest', async () => {
  const ada = await account();
  const end = (expires_at: number) => createCode(runtime, ada, ROOT, { expires_at });
  expect((await end(NOON + HOUR_MS)).expires_at).toBe(new Date(NOON + HOUR_MS).toISOString());
  expect((await end(NOON + 100 * HOUR_MS)).expires_at).toBe(new Date(NOON + 24 * HOUR_MS).toISOString());
});
