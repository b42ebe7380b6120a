import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, test } from 'vitest';
import { inParallel } from '#lib/async/in-parallel';
import { JOB_TIMEOUT_SECONDS } from '#lib/contract/contract';
import type { Account } from '#lib/item/account';
import type { Reminder } from '#lib/item/token';
import { pendingEvents } from '#lib/outbox/outbox';
import { assign } from '#lib/table/expressions';
import { accountKey, type Key, PARTITIONS, tokenNameKey } from '#lib/table/keys';
import { remove, update } from '#lib/table/write';
import { DAY_MS, HOUR_MS } from '#lib/time';
import { createLoginToken, createToken } from '#lib/token/create';
import { deleteToken } from '#lib/token/delete';
import { announceTokens } from '#lib/token/expiring';
import { DOWN } from '../../wire/dynamodb-proxy.ts';
import { by, NOON, openTestTable } from '../support/engine.ts';
import { FAILED, openTestBus } from '../support/event-bus.ts';
import { logLines } from '../support/log-lines.ts';
import { removeAll } from '../support/remove-all.ts';
import { setAttributes } from '../support/set-attributes.ts';

const { table, runtime, account, stored, wire, clock, operations } = await openTestTable({
  Events: 'token_expiring',
});
const bus = await openTestBus();
const lines = logLines();
const on = { ...runtime, publish: bus.publish };
const off = { ...on, settings: { ...runtime.settings, Events: [] } };
const root = by('root');

const END = NOON + 20 * DAY_MS;
const DUE = END - 14 * DAY_MS;
const NONE = { announced: 0, dropped: 0, left: 0 };

/** All entries of the calendar, in their order. */
const calendar = async () => {
  const { Items = [] } = await table.client.send(
    new ScanCommand({
      TableName: table.name,
      FilterExpression: 'begins_with(PK, :calendar)',
      ExpressionAttributeValues: { ':calendar': PARTITIONS.EXPIRING },
    }),
  );
  return (Items as (Reminder & Key)[]).sort((one, other) => (one.SK < other.SK ? -1 : 1));
};

let owner: Account;
beforeEach(async () => {
  await removeAll(table, await calendar());
  owner = await account({ apps: ['crm'], roles: ['a'] });
});

/** Creates a token; 0 means without an end. */
const create = (expires_at = END, name = 'ci', given = on) =>
  createToken(given, owner, name, root, expires_at === 0 ? {} : { expires_at });
const runAt = (time: number, given = on) => {
  clock.time = time;
  wire.reset();
  bus.calls.length = 0;
  return announceTokens(given, 'run-1');
};
const told = () => (bus.details().flat() as { days_before: number }[]).map((it) => it.days_before);

test.each([
  ['more than 14 days', NOON + 14 * DAY_MS + 1, on, [14, 3]],
  ['14 days', NOON + 14 * DAY_MS, on, [3]],
  ['3 days', NOON + 3 * DAY_MS, on, []],
  ['no end', 0, on, []],
  ['20 days, without the event,', END, off, []],
])('a new token of %s is in the calendar for the days ahead', async (_title, end, given, days) => {
  await create(end, 'ci', given);
  const entry = { token_owner: owner.username, name: 'ci', expires_at: end, ttl: Math.ceil(end / 1000) };
  expect(await calendar()).toMatchObject(days.map((day) => ({ ...entry, days: day })));
});

test('a token is announced once 14 and once 3 days before its end', async () => {
  await create();
  expect(await runAt(DUE)).toEqual(NONE);
  expect(await runAt(DUE + HOUR_MS)).toEqual({ ...NONE, announced: 1 });
  expect(bus.details()).toMatchObject([
    [
      {
        ...{ hook: '[crm].[token_expiring]', username: owner.username, userid: owner.id, transition: 0 },
        ...{ token_name: 'ci', token_expires_at: new Date(END).toISOString(), days_before: 14 },
        requestID: 'run-1',
      },
    ],
  ]);
  expect(bus.faults()).toEqual([]);
  expect(lines.at(-1)).toMatchObject({
    function: 'token.announce-expiring',
    requestId: 'run-1',
    announced: 1,
  });
  for (const time of [DUE + 2 * HOUR_MS, END - 3 * DAY_MS]) expect(await runAt(time)).toEqual(NONE);
  expect(await runAt(END - 3 * DAY_MS + 1)).toEqual({ ...NONE, announced: 1 });
  expect(told()).toEqual([3]);
  for (const time of [END - DAY_MS, END + HOUR_MS]) expect(await runAt(time)).toEqual(NONE);
});

test('days that were missed are announced until the end', async () => {
  await create();
  await create(END + 1, 'later');
  expect(await runAt(END)).toEqual({ announced: 2, dropped: 2, left: 0 });
  expect(told().sort()).toEqual([14, 3]);
});

async function replace(expires_at: number) {
  await deleteToken(on, await stored(owner), 'ci', root);
  owner = await stored(owner);
  await create(expires_at);
}
/** Changes the secret as a rotation does. */
const changeSecret = () =>
  update(table, { Key: tokenNameKey(owner.username, 'ci'), ...assign({ sha256: 'f'.repeat(64) }, {}) });
const change = (attributes: object) => setAttributes(table, owner, attributes);

test.each<[string, () => Promise<unknown>, number[]]>([
  ['was deleted', () => deleteToken(on, owner, 'ci', root), []],
  ['was replaced by one without an end', () => replace(0), []],
  ['was replaced by one with an earlier end', () => replace(DUE + 1), []],
  ['was replaced by one with the same end', () => replace(END), [14]],
  ['has another secret', changeSecret, [14]],
  ['has an owner who is cancelled', () => change({ isactive: false }), []],
  ['has an owner with other applications', () => change({ apps: ['x'] }), [14]],
])('a token that %s is announced as it is now', async (_title, make, days) => {
  await create();
  await make();
  await runAt(DUE + 1);
  expect(told()).toEqual(days);
  expect((await calendar()).filter(({ expires_at }) => expires_at === END)).toMatchObject([{ days: 3 }]);
});

test('a login token that is replaced is announced with its new end only', async () => {
  await createLoginToken(on, owner, root, { expires_at: END });
  await createLoginToken(on, await stored(owner), root, { expires_at: END + HOUR_MS });
  expect(await runAt(DUE + 2 * HOUR_MS)).toEqual({ announced: 1, dropped: 1, left: 0 });
  expect(bus.details().flat()).toMatchObject([{ token_expires_at: new Date(END + HOUR_MS).toISOString() }]);
});

test.each<[string, () => Promise<unknown>]>([
  ['a token is deleted', () => deleteToken(on, owner, 'ci', root)],
  ['an owner changes', () => change({ user_app_name: 'x', transitions: 9 })],
  ['an owner is erased', () => remove(table, accountKey(owner.username))],
])('a run leaves an entry to the next when %s meanwhile', async (_title, make) => {
  await create();
  clock.time = DUE + 1;
  wire.before('TransactWriteItems', make);
  expect(await announceTokens(on, 'run-1')).toEqual({ ...NONE, left: 1 });
  expect(bus.calls).toEqual([]);
  expect(await runAt(DUE + 2)).toMatchObject({ left: 0 });
});

test('parallel runs announce many tokens around one instant once each', async () => {
  const owners = [owner, await account()];
  const all = owners.flatMap((each) => Array.from({ length: 30 }, (_, n) => ({ each, n })));
  const create = ({ each, n }: (typeof all)[number]) =>
    createToken(on, each, `t${n}`, root, { expires_at: END + n });
  await inParallel(all, create, 2);
  clock.time = DUE + HOUR_MS;
  const runs = await Promise.all([announceTokens(on, 'run-1'), announceTokens(on, 'run-2')]);
  expect(runs.reduce((sum, { announced }) => sum + announced, 0)).toBe(all.length);
  const details = bus.details().flat() as { id: string; username: string; token_name: string }[];
  // The bus may get an event again, with the same ID: delivery is at least once.
  expect(new Set(details.map(({ id }) => id)).size).toBe(all.length);
  expect(new Set(details.map((it) => `${it.username}/${it.token_name}`)).size).toBe(all.length);
  expect(await runAt(DUE + 2 * HOUR_MS)).toEqual(NONE);
});

test('a run whose time is over leaves the rest to the next', async () => {
  await create();
  await create(END + DAY_MS, 'later');
  bus.script(async () => {
    clock.time += 40_000;
    return { FailedEntryCount: 1, Entries: [FAILED] };
  });
  expect(await runAt(DUE + 2 * DAY_MS)).toEqual({ ...NONE, announced: 1, left: 1 });
  expect(lines.at(-1)).toMatchObject({ function: 'token.announce-expiring', left: 1 });
  // The relay publishes an event that the bus has refused.
  // In a busy machine, those of other tests wait for it too.
  const details = (await pendingEvents(table)).map(({ detail }) => detail as Record<string, unknown>);
  expect(details.filter(({ username }) => username === owner.username)).toMatchObject([{ token_name: 'ci' }]);
  bus.script(() => undefined);
  expect(await runAt(DUE + 2 * DAY_MS + HOUR_MS)).toEqual({ ...NONE, announced: 1 });
});

test.each([
  ['in its last millisecond', 0, { announced: 2 }],
  ['no more after it', 1, { announced: 1, left: 1 }],
])('a run announces %s', async (_when, late, tally) => {
  await create();
  await create(END + DAY_MS, 'later');
  bus.script(() => {
    clock.time += JOB_TIMEOUT_SECONDS * 1000 - 25_000 + late;
    bus.script(() => undefined);
    return undefined;
  });
  expect(await runAt(DUE + 2 * DAY_MS)).toEqual({ ...NONE, ...tally });
});

test('a run reads the calendar of the days ahead, and nothing without the event', async () => {
  await create();
  await runAt(DUE - HOUR_MS);
  expect(operations()).toEqual(Array.from({ length: 15 }, () => 'Query'));
  await runAt(DUE + HOUR_MS, off);
  expect(operations()).toEqual([]);
});

test('announceTokens announces a token once although its entry cannot be removed', async () => {
  await create();
  wire.script((operation, sent) =>
    operation === 'DeleteItem' && JSON.stringify(sent).includes('EXPIRING') ? DOWN : undefined,
  );
  clock.time = DUE + 1;
  expect(await announceTokens(on, 'run-1')).toEqual({ ...NONE, announced: 1 });
  expect(await runAt(DUE + 1)).toEqual({ ...NONE, dropped: 1 });
  expect(told()).toEqual([]);
});

test('announceTokens finds the owner in an entry of an earlier version', async () => {
  await create();
  for (const { PK, SK } of await calendar())
    await update(table, {
      Key: { PK, SK },
      ...assign({ username: owner.username, token_owner: undefined }, {}),
    });
  expect(await runAt(DUE + 1)).toEqual({ ...NONE, announced: 1 });
});
