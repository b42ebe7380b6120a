import { beforeAll, describe, expect, test } from 'vitest';
import { directoryItem } from '#lib/account/directory/item';
import { cancelAccount } from '#lib/account/lifecycle/cancel';
import { addMemberships, removeMemberships } from '#lib/account/memberships';
import { switchContext } from '#lib/account/profile/context';
import { createTeam } from '#lib/account/team';
import type { Account } from '#lib/item/account';
import type { OutboxEvent } from '#lib/item/outbox-event';
import { pendingEvents } from '#lib/outbox/outbox';
import { relayEvents } from '#lib/outbox/relay';
import { readStatistics } from '#lib/stats/statistics';
import { accountKey, cancellationKey, outboxKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { remove } from '#lib/table/write';
import { DOWN } from '../../../wire/dynamodb-proxy.ts';
import { by, NOON, openTestTable } from '../../support/engine.ts';
import { FAILED, openTestBus } from '../../support/event-bus.ts';
import { logLines } from '../../support/log-lines.ts';

const { table, runtime, account, operations, wire, clock } = await openTestTable();
const bus = await openTestBus();
logLines();

let admin: Account;
beforeAll(async () => {
  admin = await account({ username: 'Root', roles: ['sys_administrator'] });
  for (const short of ['A', 'B']) await createTeam(runtime, { short, name: short, type: 'internal' });
});

const publishing = { ...runtime, publish: bus.publish };
const cancel = (target: Account) => cancelAccount(publishing, target, by('Root'));
const stored = async ({ username }: Account) => (await get(table, accountKey(username))) as Account;

const AT = '2026-11-20T12:00:00.000Z';

/** What the event of a cancelled account says, as the account is stored. */
const detailOf = ({ username, id, user_app_name, apps, teams, roles }: Account) => ({
  version: '1',
  id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  hook: `[${user_app_name}].[user_cancel]`,
  app: user_app_name,
  apps,
  username,
  userid: id,
  transition: 1,
  cancelled_at: AT,
  cancelled_by: 'Root',
  teams: teams.map(({ team_id, team_short }) => ({ team_id, team_short })),
  roles,
  requestID: 'request-1',
});

describe('cancelling', () => {
  test('makes the account inactive, ends its sessions and publishes one event', async () => {
    const target = await account({ roles: ['a'], teams: ['A'], apps: ['billing'] });
    const counters = await readStatistics(table, NOON);
    const result = await cancel(target);
    expect(result).toEqual({
      ...directoryItem(target, NOON),
      isactive: false,
      cancelled_at: AT,
      cancelled_by: 'Root',
      changed: true,
    });
    const after = await stored(target);
    expect(after).toMatchObject({
      ...target,
      isactive: false,
      stamp: expect.any(String),
      cancelled_at: AT,
      cancelled_by: 'Root',
      transitions: 1,
    });
    expect(await get(table, cancellationKey(target.username, AT))).toMatchObject({
      username: target.username,
      cancelled_at: AT,
    });
    expect(after.stamp).not.toBe(target.stamp);
    expect(bus.details()).toEqual([[detailOf(target)]]);
    expect(await pendingEvents(table)).toEqual([]);
    expect(await readStatistics(table, NOON)).toEqual(counters);
  });

  test('names an event by one id, in the outbox and in its detail', async () => {
    bus.script(() => ({ FailedEntryCount: 1, Entries: [FAILED] }));
    const target = await account();
    await cancel(target);
    const [event] = (await pendingEvents(table)) as [OutboxEvent<{ id: string }>];
    expect(event).toEqual({
      id: event.detail.id,
      detailType: 'user_cancel',
      createdAt: NOON,
      detail: detailOf(target),
    });
    expect(event.id).not.toBe((await stored(target)).stamp);
    await remove(table, outboxKey(event.id));
  });

  test('of a cancelled account changes and publishes nothing', async () => {
    const target = await account();
    await cancel(target);
    const cancelled = await stored(target);
    bus.calls.length = 0;
    wire.reset();
    expect(await cancel(cancelled)).toEqual({ ...directoryItem(cancelled, NOON), changed: false });
    expect(operations()).toEqual([]);
    expect(await cancel(target), 'as it was read before').toMatchObject({ isactive: false, changed: false });
    expect(await stored(target)).toEqual(cancelled);
    expect(bus.calls).toEqual([]);
  });

  test('takes place once, however many ask at once', async () => {
    const target = await account();
    const results = await Promise.all(Array.from({ length: 3 }, () => cancel(target)));
    expect(results.filter(({ changed }) => changed)).toHaveLength(1);
    expect(bus.details()).toEqual([[detailOf(target)]]);
  });

  test.each(['Root', 'root', 'ROOT'])('oneself, as %s, is refused', async (username) => {
    wire.reset();
    await expect(cancel({ ...admin, username })).rejects.toMatchObject({ code: 'self_target' });
    expect(operations()).toEqual([]);
  });
});

describe('the event is of the account as it is committed', () => {
  const none = { roles: [], apps: [], teams: [] };
  test.each<[string, (target: Account) => Promise<unknown>]>([
    ['a team more', (target) => addMemberships(table, target, { ...none, teams: ['B'] })],
    ['a team less', (target) => removeMemberships(table, target, { ...none, teams: ['A'] })],
    ['a role more', (target) => addMemberships(table, target, { ...none, roles: ['b'] })],
    ['a role less', (target) => removeMemberships(table, target, { ...none, roles: ['a'] })],
    ['another application', (target) => switchContext(table, target, 'billing')],
    ['an application more', (target) => addMemberships(table, target, { ...none, apps: ['crm'] })],
  ])('where it has %s than was read', async (_what, meanwhile) => {
    const stale = await account({ roles: ['a'], teams: ['A'], apps: ['core', 'billing'] });
    await meanwhile(stale);
    const before = await stored(stale);
    expect(await cancel(stale)).toMatchObject({ changed: true, teams: before.teams.length });
    expect(bus.details()).toEqual([[detailOf(before)]]);
    expect(detailOf(before)).not.toEqual(detailOf(stale));
    expect(await stored(stale)).toMatchObject({ teams: before.teams, roles: before.roles, isactive: false });
  });
});

describe('an account is cancelled, and its event is left in the outbox', () => {
  test.each<[string, () => void]>([
    ['where the bus fails it', () => bus.script(() => ({ FailedEntryCount: 1, Entries: [FAILED] }))],
    [
      'where the bus is down',
      () =>
        bus.script(() => {
          throw new Error('down');
        }),
    ],
    [
      'where it cannot be removed',
      () => wire.script((operation) => (operation === 'DeleteItem' ? DOWN : undefined)),
    ],
  ])('%s; the relay publishes it', async (_what, fault) => {
    const target = await account();
    fault();
    expect(await cancel(target)).toMatchObject({ isactive: false, changed: true });
    wire.reset();
    bus.script(() => undefined);
    bus.calls.length = 0;
    expect(await stored(target)).toMatchObject({ isactive: false });
    expect(await pendingEvents(table)).toMatchObject([{ detail: { username: target.username } }]);
    clock.time = NOON + 60_000;
    expect(await relayEvents(publishing)).toMatchObject({ published: 1, pending: 0 });
    expect(bus.details()).toEqual([[detailOf(target)]]);
    expect(await pendingEvents(table)).toEqual([]);
  });
});
