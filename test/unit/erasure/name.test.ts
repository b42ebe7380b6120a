import { expect, test } from 'vitest';
import { createAccount } from '#lib/account/create';
import { createInvited } from '#lib/account/invite';
import { cancelAccount } from '#lib/account/lifecycle/cancel';
import { storeEntries } from '#lib/audit/store';
import { FUNCTIONS, streamOf, VERIFIED } from '#lib/audit/streams';
import { completeErasures } from '#lib/erasure/complete';
import { eraseAccount } from '#lib/erasure/erase';
import type { Account } from '#lib/item/account';
import type { AuditItem } from '#lib/item/audit-entry';
import { assign } from '#lib/table/expressions';
import { auditKey } from '#lib/table/keys';
import { SETTLED_MS } from '#lib/table/pass';
import { get } from '#lib/table/read';
import { update } from '#lib/table/write';
import { isoOf } from '#lib/time';
import { newName } from '../../names.ts';
import { by, NOON, openTestTable } from '../support/engine.ts';
import { logLines } from '../support/log-lines.ts';
import { shortestWaits } from '../support/shortest-waits.ts';
import { lineOf, tracesIn, wholeTable } from './person.ts';

const bench = await openTestTable({ ErasureAfterDays: '0' });
const { table, account, stored, wire, clock, guardedBy } = bench;
/** With a bus that accepts every event. */
const runtime = { ...bench.runtime, publish: async <T>(events: T) => events };
const ROOT = by('Root');
logLines();
shortestWaits();

async function erased(): Promise<Account> {
  const it = await account();
  await cancelAccount(runtime, it, ROOT);
  await eraseAccount(runtime, it.username, await stored(it), ROOT);
  return it;
}
const finish = async () => {
  clock.time += SETTLED_MS;
  await completeErasures(runtime, 'run');
};

test('createAccount refuses the name of an erased account, in any case', async () => {
  const { username } = await erased();
  for (const name of [username, username.toUpperCase()])
    await expect(createAccount(runtime, { username: name })).rejects.toMatchObject({
      code: 'account_erased',
    });
  expect(await stored({ username })).toBeUndefined();
});

test('createAccount refuses the ID of an erased account as a name, also by force and in any case', async () => {
  const { id } = await erased();
  for (const username of [id, id.toUpperCase()])
    for (const force of [undefined, true])
      await expect(createAccount(runtime, { username }, undefined, { force })).rejects.toMatchObject({
        code: 'account_erased',
        advice: 'The username is the ID of an erased account.',
      });
  expect(await stored({ username: id })).toBeUndefined();
});

test('createAccount refuses the ID of an account that is erased meanwhile, and accepts that of no account', async () => {
  const it = await account();
  await cancelAccount(runtime, it, ROOT);
  const cancelled = await stored(it);
  wire.before('TransactWriteItems', () => eraseAccount(runtime, '', cancelled, ROOT));
  await expect(createAccount(runtime, { username: it.id })).rejects.toMatchObject({ code: 'account_erased' });
  expect(await createAccount(runtime, { username: it.stamp })).toMatchObject({ username: it.stamp });
});

test('createAccount refuses a name whose account is erased meanwhile', async () => {
  const it = await account();
  await cancelAccount(runtime, it, ROOT);
  const cancelled = await stored(it);
  wire.before('TransactWriteItems', () => eraseAccount(runtime, '', cancelled, ROOT));
  await expect(createAccount(runtime, { username: it.username })).rejects.toMatchObject({
    code: 'account_erased',
  });
});

test('createAccount gives the name again by force once the erasure is complete, with nothing of the former account', async () => {
  const it = await erased();
  const { username } = it;
  const create = () => createAccount(runtime, { username }, undefined, { force: true });
  await expect(create()).rejects.toMatchObject({
    code: 'account_erased',
    advice: expect.stringContaining('not complete'),
  });
  await finish();
  const next = await create();
  expect(next.id).not.toBe(it.id);
  // The name means the new account, the ID the former one.
  await expect(eraseAccount(runtime, username, await stored(it), ROOT)).rejects.toMatchObject({
    code: 'account_active',
  });
  expect(await eraseAccount(runtime, it.id, undefined, ROOT)).toMatchObject({
    userid: it.id,
    complete: true,
  });
  await expect(create()).rejects.toMatchObject({ code: 'account_exists' });
  // It can be erased too.
  await cancelAccount(runtime, next, ROOT);
  expect(await eraseAccount(runtime, username, await stored(it), ROOT)).toMatchObject({ userid: next.id });
  await expect(createAccount(runtime, { username })).rejects.toMatchObject({ code: 'account_erased' });
});

test('createInvited refuses to answer again for an account that was erased since', async () => {
  const caller = await account({ roles: ['sys_administrator'] });
  const username = newName('made');
  const request = {
    caller,
    actor: by(caller.username),
    limits: {},
    headers: { 'idempotency-key': 'once' },
    body: { username },
  };
  const create = () => createInvited({ ...guardedBy(caller), publish: runtime.publish }, request as never);
  await create();
  const made = await stored({ username });
  await cancelAccount(runtime, made, ROOT);
  await eraseAccount(runtime, username, await stored(made), ROOT);
  await expect(create()).rejects.toMatchObject({ code: 'account_erased' });
  await finish();
  await expect(create()).rejects.toMatchObject({ code: 'account_erased' });
});

/** The entry that the table has of a line. */
const entryOf = (line: string, at = NOON) => get(table, auditKey(new Date(at).toISOString(), line));

test('storeEntries stores lines that come after an erasure with the pseudonym, and without what is of the person', async () => {
  const { username, id } = await erased();
  const pseudonym = `erased:${id}`;
  const lines = [
    lineOf({ target: username, details: { until: '2026-11-21T12:00:00.000Z', reason: 'ill' } }),
    lineOf({ target: username, details: { reason: 'ill' } }),
    lineOf({ actor: username, credential: 'laptop', action: 'team.create', target: 'ops' }),
    lineOf({ action: 'account.copy', target: 'other', details: { source: username } }),
    lineOf({ action: 'token.delete', target: `ci@${username}`, account: username }),
    // A line of an earlier version.
    lineOf({ action: 'token.delete', target: `ci@${username}` }),
    lineOf({ action: 'team.create', target: username }),
  ];
  await storeEntries(runtime, FUNCTIONS, lines);
  const [lock, bare, byPerson, copy, token, former, team] = await Promise.all(
    lines.map((one) => entryOf(one)),
  );
  expect(lock).toMatchObject({
    target: pseudonym,
    details: { until: '2026-11-21T12:00:00.000Z' },
    actor: 'root',
  });
  expect(bare).toMatchObject({ details: null, GSI1PK: `TARGETS#${pseudonym}` });
  expect(byPerson).toMatchObject({ actor: pseudonym, credential: null, source: null, target: 'ops' });
  expect(copy).toMatchObject({ target: 'other', details: { source: pseudonym } });
  for (const one of [token, former])
    expect(one).toMatchObject({ target: pseudonym, GSI1PK: `TARGETS#${pseudonym}` });
  // A team may have the same name.
  expect(team).toMatchObject({ target: username });
});

/** Details of entries about a person: what remains, and what goes. */
const REMAINING = {
  batch: '019b76da-9c00-7000-8000-000000000001',
  batch_size: 30,
  roles_added: ['sys_tokens', 'editor'],
  roles_removed: [],
  cause: 'wrong_password',
  tokens_revoked: 2,
  invite_hours: 24,
  until: '2026-11-21T12:00:00.000Z',
  proof: 'code',
  forced: 'days',
};
const NAMING = {
  reason: 'ill',
  passkey: 'Lovelace-iPhone',
  teams_added: ['lovelace-lab'],
  user_app_name: 'lovelace',
  session: 'x',
  file: 'lovelace.csv',
  source: 'root',
  created_by: 'root',
  claimed_by: 'arn:aws:sts::1:assumed-role/x/lovelace',
  nickname: 'of a later version',
  constructor: 'x',
};
/** Values that a line of an operator may have, though no command writes them. */
const FORGED = {
  batch: 'Ada',
  batch_size: 'Lovelace',
  cause: 'Lovelace',
  count: 'Lovelace',
  roles_added: ['Ada Lovelace'],
  until: 'Ada',
  userid: 'Ada',
};

test('storeEntries keeps only details without room for a name in entries about an erased person', async () => {
  const { username, id } = await erased();
  const lines = [
    lineOf({ target: username, details: { ...REMAINING, ...NAMING } }),
    lineOf({ target: username, details: FORGED }),
    lineOf({ actor: username, target: null, details: { ...NAMING, revoked: 1 } }),
    // About somebody else.
    lineOf({ actor: username, target: 'other', details: { reason: 'ill', created_by: username } }),
    // Of an earlier version that kept such details.
    lineOf({ target: `erased:${id}`, details: { passkey: 'Lovelace-iPhone', count: 1 } }),
  ];
  await storeEntries(runtime, FUNCTIONS, lines);
  const stored = await Promise.all(lines.map((one) => entryOf(one)));
  expect(stored.map((one) => one?.details)).toEqual([
    REMAINING,
    null,
    { revoked: 1 },
    { reason: 'ill', created_by: `erased:${id}` },
    { count: 1 },
  ]);
});

test('completeErasures leaves the same details of entries that came before, also of earlier erasures', async () => {
  const it = await account();
  const lines = [
    lineOf({ target: it.username, details: { ...REMAINING, ...NAMING } }),
    lineOf({ target: it.username, details: NAMING }),
  ];
  await storeEntries(runtime, FUNCTIONS, lines);
  const earlier = lineOf({ target: `erased:${it.stamp}`, details: null });
  await storeEntries(runtime, FUNCTIONS, [earlier]);
  await update(table, {
    Key: auditKey(new Date(NOON).toISOString(), earlier),
    ...assign({ details: { passkey: 'Lovelace-iPhone' } }, {}),
  });
  await cancelAccount(runtime, it, ROOT);
  await eraseAccount(runtime, it.username, await stored(it), ROOT);
  await finish();
  const entries = await Promise.all([...lines, earlier].map((one) => entryOf(one)));
  expect(entries.map((one) => one?.details)).toEqual([REMAINING, null, null]);
});

/** The entries of refusals that have a text. */
const refusalsIn = async (text: string) =>
  (tracesIn(await wholeTable(runtime), text) as AuditItem[]).filter(({ count }) => count !== undefined);

test('storeEntries folds refusals that come after an erasure under the pseudonym, without addresses of the person', async () => {
  const { username, id } = await erased();
  const refused = { action: 'account.lock', outcome: 'forbidden', changed: false, source: '192.0.2.9' };
  await storeEntries(runtime, VERIFIED, [
    lineOf({ ...refused, actor: username, target: 'other' }),
    lineOf({ ...refused, actor: 'other', target: username }),
  ]);
  const items = await refusalsIn(`erased:${id}`);
  expect(items.map(({ GSI1PK, source, sources }) => [GSI1PK, source, sources]).sort()).toEqual([
    [`REFUSALS#erased:${id}`, '192.0.2.9', ['192.0.2.9']],
    ['REFUSALS#other', null, []],
  ]);
  // Neither an act nor an entry has the name.
  const named = tracesIn(await wholeTable(runtime), username) as { PK: string }[];
  expect(named.map(({ PK }) => PK)).toEqual(['ERASING']);
});

test('refusals about an account that got the name of an erased one are no refusals of that one', async () => {
  const it = await account();
  const { username, id } = it;
  const line = (ms: number) =>
    lineOf({ time: isoOf(clock.time + ms), actor: null, target: username, outcome: 'forbidden' });
  await storeEntries(runtime, VERIFIED, [line(1)]);
  await cancelAccount(runtime, it, ROOT);
  await eraseAccount(runtime, username, await stored(it), ROOT);
  await finish();
  await createAccount(runtime, { username }, undefined, { force: true });
  await storeEntries(runtime, VERIFIED, [line(1), line(2)], 'another');
  const countsOf = async (name: string) => (await refusalsIn(name)).map(({ count }) => count);
  expect([await countsOf(`erased:${id}`), await countsOf(username)]).toEqual([[1], [2]]);
});

test('storeEntries stores the pseudonym of what a command was about, and the name of an account that got it again', async () => {
  const { username, id } = await erased();
  const command = lineOf({ action: 'admin account erase', target: username, details: { userid: id } });
  const operators = streamOf('administrator');
  await storeEntries(runtime, operators, [command]);
  expect(await entryOf(`${operators}\n${command}`)).toMatchObject({
    target: `erased:${id}`,
    details: { userid: id },
  });
  await finish();
  await createAccount(runtime, { username }, undefined, { force: true });
  const later = lineOf({ target: username }, clock.time + 1);
  const earlier = lineOf({ target: username }, clock.time - 1);
  await storeEntries(runtime, FUNCTIONS, [later, earlier]);
  expect(await entryOf(later, clock.time + 1)).toMatchObject({ target: username });
  expect(await entryOf(earlier, clock.time - 1)).toMatchObject({ target: `erased:${id}` });
});

test('storeEntries reads nothing more for lines that name no account', async () => {
  wire.reset();
  await storeEntries(runtime, FUNCTIONS, [lineOf({ actor: null, target: null })]);
  expect(bench.operations()).toEqual(['BatchWriteItem']);
});

test('erased names are in the table only as keyed hashes', async () => {
  const { username } = await erased();
  await finish();
  expect(tracesIn(await wholeTable(bench), username)).toEqual([]);
});
