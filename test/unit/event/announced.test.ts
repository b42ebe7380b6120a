import { beforeEach, describe, expect, test } from 'vitest';
import { createAccount } from '#lib/account/create';
import { cancelAccount } from '#lib/account/lifecycle/cancel';
import { lockAccount, unlockAccount } from '#lib/account/lifecycle/lock';
import { reactivateAccount } from '#lib/account/lifecycle/reactivate';
import { MAX_TOKENS } from '#lib/account/tokens/count';
import { ALWAYS, EVENT_TYPES } from '#lib/instance/settings';
import type { Account } from '#lib/item/account';
import { sequenceOf } from '#lib/item/sequence';
import { pendingEvents } from '#lib/outbox/outbox';
import { setPassword } from '#lib/password/set-password';
import { createLoginToken, createToken } from '#lib/token/create';
import { deleteToken } from '#lib/token/delete';
import { LOGIN_TOKEN } from '#lib/token/record';
import { rotateToken } from '#lib/token/rotate';
import { by, NOON, openTestTable } from '../support/engine.ts';
import { openTestBus } from '../support/event-bus.ts';
import { logLines } from '../support/log-lines.ts';
import { lockUntil, setAttributes } from '../support/set-attributes.ts';

const { table, runtime, account, stored, team, wire } = await openTestTable({
  Events: EVENT_TYPES.join(','),
});
const bus = await openTestBus();
logLines();
const announcing = { ...runtime, publish: bus.publish };
const silent = { ...announcing, settings: { ...runtime.settings, Events: [] } };

const AT = new Date(NOON).toISOString();
const root = by('Root');
const { team_id, team_short } = await team('OPS');
const MEMBERSHIPS = { teams: [{ team_id, team_short }], roles: ['a'] };

let target: Account;
beforeEach(async () => {
  target = await account({ apps: ['crm', 'core'], roles: ['a'], teams: ['OPS'] });
  bus.calls.length = 0;
});

/** The numbers of the published events, in ascending order. */
const sequences = () =>
  (bus.details().flat() as { sequence: number }[])
    .map(({ sequence }) => sequence)
    .sort((one, other) => one - other);

/** The event of a change, with the fields that all events have. */
const eventOf = (type: string, { username, id }: Account, own: object, transition = 0) => ({
  version: '1',
  id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  hook: `[crm].[${type}]`,
  app: 'crm',
  apps: ['crm', 'core'],
  username,
  userid: id,
  transition,
  sequence: 1,
  ...own,
  requestID: root.requestId,
});

interface Change {
  readonly type: (typeof EVENT_TYPES)[number] | (typeof ALWAYS)[number];
  readonly make: (on: typeof announcing, target: Account) => Promise<object>;
  /** Brings the account into the state before the change. */
  readonly prepare?: (target: Account) => Promise<Account>;
  readonly own: object;
  readonly transition?: number;
}

const withToken = async (owner: Account) => {
  await createToken(silent, owner, 'ci', root);
  return stored(owner);
};
const cancelled = async (owner: Account) => setAttributes(table, await withToken(owner), { isactive: false });
const reactivated = (tokens_revived: number, tokens_revoked: number) => ({
  reactivated_at: AT,
  reactivated_by: 'Root',
  tokens_revived,
  tokens_revoked,
  ...MEMBERSHIPS,
});
const created = (token_name: string) => ({ token_name, token_created_at: AT, token_created_by: 'Root' });
const LOGIN = created(LOGIN_TOKEN);

describe.each<Change>([
  {
    type: 'user_lock',
    make: (on, it) => lockAccount(on, it, root),
    own: { locked_at: AT, locked_by: 'Root' },
    transition: 1,
  },
  {
    type: 'user_lock',
    make: (on, it) => lockAccount(on, it, root, { until: NOON + 1, reason: 'fraud' }),
    prepare: (it) => lockAccount(silent, it, root).then(() => stored(it)),
    own: { locked_at: AT, locked_by: 'Root', locked_until: new Date(NOON + 1).toISOString() },
    transition: 2,
  },
  {
    type: 'user_unlock',
    make: (on, it) => unlockAccount(on, it, root),
    prepare: (it) => lockUntil(table, it, NOON + 120_000),
    own: { unlocked_at: AT, unlocked_by: 'Root' },
    transition: 1,
  },
  {
    type: 'user_cancel',
    make: (on, it) => cancelAccount(on, it, root),
    own: { cancelled_at: AT, cancelled_by: 'Root', ...MEMBERSHIPS },
    transition: 1,
  },
  {
    type: 'user_reactivate',
    make: (on, it) => reactivateAccount(on, it, root),
    prepare: cancelled,
    own: reactivated(1, 0),
    transition: 2,
  },
  {
    type: 'user_reactivate',
    make: (on, it) => reactivateAccount(on, it, root, { revoke_tokens: true }),
    prepare: cancelled,
    own: reactivated(0, 1),
    transition: 2,
  },
  {
    type: 'token_create',
    make: (on, it) => createToken(on, it, 'new', root),
    prepare: (it) => setAttributes(table, it, { token_count: MAX_TOKENS - 1 }),
    own: created('new'),
  },
  { type: 'token_create', make: (on, it) => createLoginToken(on, it, root), own: LOGIN },
  {
    type: 'token_delete',
    make: (on, it) => deleteToken(on, it, 'ci', root),
    prepare: withToken,
    own: { token_name: 'ci', token_deleted_at: AT, token_deleted_by: 'Root' },
  },
  {
    type: 'password_change',
    make: async (on, it) => setPassword(on, it, 'correct horse', root).then(() => it),
    own: { changed_at: AT, changed_by: 'Root', changed_with: 'command' },
  },
  {
    type: 'token_rotate',
    make: (on, it) => rotateToken(on, it, 'ci', root, 60),
    prepare: withToken,
    own: { token_name: 'ci', token_rotated_at: AT, token_rotated_by: 'Root' },
  },
])('$type', ({ type, make, prepare = async (it) => it, own, transition }) => {
  test('is published once, with the facts of the change', async () => {
    await make(announcing, await prepare(target));
    expect(bus.details()).toEqual([[eventOf(type, target, own, transition)]]);
    expect(bus.calls.flat().map(({ DetailType }) => DetailType)).toEqual([type]);
    expect(bus.faults()).toEqual([]);
    expect(await pendingEvents(table)).toEqual([]);
  });

  test(`is published without the setting: ${(ALWAYS as readonly string[]).includes(type)}`, async () => {
    const it = await prepare(target);
    wire.reset();
    await make(silent, it);
    const written = wire.commands.filter(({ input }) => JSON.stringify(input).includes('OUTBOX'));
    const isAlways = (ALWAYS as readonly string[]).includes(type);
    expect([bus.calls.length > 0, written.length > 0]).toEqual([isAlways, isAlways]);
    expect((await stored(it))[sequenceOf(type)]).toBe(isAlways ? 1 : undefined);
  });

  test('reports the account as committed when it has changed since it was read', async () => {
    const stale = await prepare(target);
    await setAttributes(table, stale, { apps: ['crm', 'late'] });
    await make(announcing, stale);
    expect(bus.details()).toMatchObject([[{ apps: ['crm', 'late'] }]]);
  });

  test('is published once for each change when three callers request one at once', async () => {
    const it = await prepare(target);
    const results = await Promise.allSettled([1, 2, 3].map(() => make(announcing, it)));
    const changes = results.filter(
      (result) => result.status === 'fulfilled' && (result.value as { changed?: boolean }).changed !== false,
    );
    expect(bus.details()).toHaveLength(changes.length);
    expect(sequences()).toEqual(changes.map((_, index) => index + 1));
    // A login token and a password are replaced by each, and a secret by each that reads the one before.
    if (own !== LOGIN && !/^(password_change|token_rotate)$/.test(type)) expect(changes).toHaveLength(1);
  });
});

test('user_create is published for the account as created', async () => {
  const announcement = { publish: bus.publish, actor: by('operator:ada') };
  const input = { username: 'New', apps: ['crm', 'core'], roles: ['a'], teams: ['OPS'] };
  const made = await createAccount(announcing, input, announcement);
  const own = { created_at: AT, created_by: 'operator:ada', ...MEMBERSHIPS };
  expect(bus.details()).toEqual([[eventOf('user_create', made, own)]]);
  expect(bus.faults()).toEqual([]);
  expect(`${made.created_at}Z`).toBe(AT);
  await expect(createAccount(announcing, input, announcement)).rejects.toMatchObject({
    code: 'account_exists',
  });
  expect(bus.calls).toHaveLength(1);
});
