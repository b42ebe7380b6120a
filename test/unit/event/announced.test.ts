import { beforeEach, describe, expect, test } from 'vitest';
import { createAccount } from '#lib/account/create';
import { lockAccount, unlockAccount } from '#lib/account/lifecycle/lock';
import { addMemberships } from '#lib/account/memberships';
import type { Account } from '#lib/item/account';
import { pendingEvents } from '#lib/outbox/outbox';
import { EVENT_TYPES } from '#lib/settings';
import { accountKey, outboxKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { remove } from '#lib/table/write';
import { createLoginToken, createToken } from '#lib/token/create';
import { deleteToken } from '#lib/token/delete';
import { by, openTestTable } from '../support/engine.ts';
import { FAILED, openTestBus } from '../support/event-bus.ts';
import { lockUntil, setAttributes } from '../support/set-attributes.ts';

const { table, runtime, account, wire, clock } = await openTestTable({ Events: EVENT_TYPES.join(',') });
const bus = await openTestBus();
const announcing = { ...runtime, publish: bus.publish };
const silent = { ...announcing, settings: { ...runtime.settings, Events: [] } };

const AT = '2026-11-20T12:00:00.000Z';
const root = by('Root');
const stored = async ({ username }: Account) => (await get(table, accountKey(username))) as Account;

let target: Account;
beforeEach(async () => {
  target = await account({ apps: ['crm', 'core'], roles: ['a'] });
  bus.calls.length = 0;
});

interface Detail {
  readonly [name: string]: unknown;
}

/** The event that a change publishes, with all that is of every event. */
const told = (type: string, { username, id }: Account, own: object, transition = 0): Detail => ({
  version: '1',
  id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  hook: `[crm].[${type}]`,
  app: 'crm',
  apps: ['crm', 'core'],
  username,
  userid: id,
  transition,
  ...own,
  requestID: 'request-1',
});

interface Change {
  readonly type: string;
  readonly make: (runtime: typeof announcing, target: Account) => Promise<unknown>;
  readonly before?: (target: Account) => Promise<Account>;
  readonly own: object;
  readonly transition?: number;
}

const CHANGES: readonly Change[] = [
  {
    type: 'user_lock',
    make: (on, it) => lockAccount(on, it, root),
    own: { locked_at: AT, locked_by: 'Root' },
    transition: 1,
  },
  {
    type: 'user_unlock',
    make: (on, it) => unlockAccount(on, it, root),
    before: (it) => lockUntil(table, it, clock.time + 1000),
    own: { unlocked_at: AT, unlocked_by: 'Root' },
    transition: 1,
  },
  {
    type: 'token_create',
    make: (on, it) => createToken(on, it, 'ci', root),
    own: { token_name: 'ci', token_created_at: AT, token_created_by: 'Root' },
  },
  {
    type: 'token_create',
    make: (on, it) => createLoginToken(on, it, root),
    own: { token_name: 'logintoken', token_created_at: AT, token_created_by: 'Root' },
  },
  {
    type: 'token_delete',
    make: (on, it) => deleteToken(on, it, 'gone', root),
    before: async (it) => {
      await createToken(silent, it, 'gone', root);
      return stored(it);
    },
    own: { token_name: 'gone', token_deleted_at: AT, token_deleted_by: 'Root' },
  },
];

describe.each(CHANGES)('$type', ({ type, make, before, own, transition }) => {
  const prepared = async () => (before ? before(target) : target);

  test('is published once, with what has changed', async () => {
    await make(announcing, await prepared());
    expect(bus.details()).toEqual([[told(type, target, own, transition)]]);
    expect(bus.calls.flat().map(({ DetailType }) => DetailType)).toEqual([type]);
    expect(await pendingEvents(table)).toEqual([]);
  });

  test('is not, where the setting does not name it', async () => {
    const it = await prepared();
    wire.reset();
    await make(silent, it);
    expect(bus.calls).toEqual([]);
    expect(wire.commands.filter(({ input }) => JSON.stringify(input).includes('OUTBOX'))).toEqual([]);
  });

  test('waits in the outbox where the bus does not accept it, and the change stands', async () => {
    bus.script(() => ({ FailedEntryCount: 1, Entries: [FAILED] }));
    await make(announcing, await prepared());
    const pending = await pendingEvents(table);
    expect(pending).toMatchObject([{ detailType: type, detail: { username: target.username, ...own } }]);
    for (const { id } of pending) await remove(table, outboxKey(id));
  });

  test('tells the account as it is committed, not as it was read', async () => {
    const stale = await prepared();
    await addMemberships(table, stale, { apps: ['late'], roles: [], teams: [] });
    await make(announcing, stale);
    expect(bus.details()).toMatchObject([[{ apps: ['crm', 'core', 'late'] }]]);
  });
});

describe('user_create', () => {
  test('is published for the account as it is made, by who makes it', async () => {
    const made = await createAccount(
      announcing,
      { username: 'New', apps: ['crm', 'core'], roles: ['a'] },
      { publish: bus.publish, actor: by('operator:ada') },
    );
    expect(bus.details()).toEqual([
      [told('user_create', made, { created_at: AT, created_by: 'operator:ada', teams: [], roles: ['a'] })],
    ]);
    expect(`${made.created_at}Z`).toBe(AT);
  });

  test('is not published for an account that is there already', async () => {
    const again = { publish: bus.publish, actor: root };
    await expect(createAccount(announcing, { username: target.username }, again)).rejects.toMatchObject({
      code: 'account_exists',
    });
    expect(bus.calls).toEqual([]);
    expect(await pendingEvents(table)).toEqual([]);
  });
});

describe('a token', () => {
  test('is refused where the account was cancelled since it was read, and nothing is told', async () => {
    await setAttributes(table, target, { isactive: false });
    await expect(createToken(announcing, target, 'ci', root)).rejects.toMatchObject({
      code: 'account_cancelled',
    });
    expect(bus.calls).toEqual([]);
  });

  test('that is not there is deleted once, however many ask at once', async () => {
    await createToken(silent, target, 'once', root);
    const results = await Promise.allSettled(
      Array.from({ length: 3 }, () => deleteToken(announcing, target, 'once', root)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(bus.details()).toHaveLength(1);
  });

  test('of one name is told once, however many are asked for at once', async () => {
    await Promise.allSettled(Array.from({ length: 3 }, () => createToken(announcing, target, 'ci', root)));
    expect(bus.details()).toHaveLength(1);
  });
});
