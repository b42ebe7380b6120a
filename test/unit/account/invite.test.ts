import { expect, test } from 'vitest';
import { create } from '#lib/account/contracts';
import { createInvited } from '#lib/account/invite';
import { Answer } from '#lib/contract/answer';
import type { Account } from '#lib/item/account';
import type { Limits } from '#lib/item/token';
import { parse } from '#lib/parse';
import { hashOfCode } from '#lib/password/code';
import { EVENT_TYPES } from '#lib/settings';
import { readStatistics } from '#lib/stats/statistics';
import { accountKey, codeKey, madeKey, wholeOutbox } from '#lib/table/keys';
import { get, query } from '#lib/table/read';
import { by, NOON, openTestTable } from '../support/engine.ts';
import { setAttributes } from '../support/set-attributes.ts';

const { table, wire, runtime, account, stored, team, operations, guardedBy } = await openTestTable({
  Events: EVENT_TYPES.join(','),
});
const HOUR = 3_600_000;
const ROOT = by('Root');

/** Requests an account as the endpoint does; resolves to the data, and whether it is a repeated answer. */
async function request(body: object, key?: string, limits: Limits = {}, on = runtime) {
  const headers = { 'idempotency-key': key };
  const requested = { actor: ROOT, headers, limits, body: parse(create.body(), body) };
  const answer = await createInvited(on, requested);
  if (!(answer instanceof Answer)) throw new Error('The audit log gets no details');
  return { ...answer.data, again: !answer.changed, details: answer.details };
}

const count = async () => (await readStatistics(table, NOON)).count;
const codeOf = (username: string) => get(table, codeKey(username));
const events = () => query(table, wholeOutbox);
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
  expect(made).toMatchObject({ ...shown, code_expires_at: new Date(NOON + 2 * HOUR).toISOString() });
  const code = { sha256: hashOfCode(made.code ?? ''), expires_at: NOON + 2 * HOUR };
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

test.each<Limits>([{ access: 'read' }, { roles: ['sys_administrator'] }, { addresses: ['10.0.0.0/8'] }])(
  'createInvited refuses an invitation with a credential that has the limits %j',
  async (limits) => {
    const username = `by-${Object.keys(limits)}`;
    await expect(request({ username, invite_hours: 1 }, 'the key', limits)).rejects.toMatchObject({
      code: 'forbidden',
    });
    expect(await accountOf(username)).toBeUndefined();
    expect(await request({ username }, undefined, limits)).toMatchObject({ username });
  },
);

test('createInvited answers a repeat with the account as it is, and the same code after a new login', async () => {
  const body = { username: 'eve', invite_hours: 5 };
  const made = await request(body, 'again');
  await setAttributes(table, (await accountOf('eve')) as Account, { user_short: 'X' });
  wire.reset();
  const repeated = await request(body, 'again');
  expect(repeated).toEqual({ ...made, user_short: 'X', again: true, details: undefined });
  expect(operations()).toEqual(['GetItem', 'GetItem']);
});

test.each<[string, object, Limits]>([
  ['name', { username: 'other' }, {}],
  ['field', { user_short: 'F' }, {}],
  ['end', { invite_hours: 2 }, {}],
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
