import { globSync, readFileSync } from 'node:fs';
import bcryptjs from 'bcryptjs';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createCode } from '#lib/account/create-code';
import { cancelAccount } from '#lib/account/lifecycle/cancel';
import { lockAccount, unlockAccount } from '#lib/account/lifecycle/lock';
import { reactivateAccount } from '#lib/account/lifecycle/reactivate';
import { deleteTokensOfCancelled } from '#lib/account/lifecycle/tokens-of-cancelled';
import { setLockoutEnabled } from '#lib/account/lockout-enabled';
import { changeMemberships, copyMemberships } from '#lib/account/memberships';
import { switchContext } from '#lib/account/profile/context';
import { etagOf } from '#lib/account/profile/etag';
import { profileUser } from '#lib/account/profile/profile';
import { updateProfile } from '#lib/account/profile/update';
import { endSessions } from '#lib/account/reset-stamp';
import { endSession } from '#lib/account/sessions';
import { recordUse, type UsedToken } from '#lib/auth/activity';
import type { Actor } from '#lib/event/account-event';
import { Failure } from '#lib/failure';
import { type Account, FOREVER } from '#lib/item/account';
import { PER_NAME } from '#lib/login/attempts';
import { lockForATime } from '#lib/login/lockout';
import { type Reservation, reserveAtOnce } from '#lib/login/reservation';
import { recordSession, sessionRecord } from '#lib/login/session-record';
import { noteFailure } from '#lib/outbox/trials';
import { surveyCosts } from '#lib/password/cost';
import { setPassword } from '#lib/password/set-password';
import { publishKey, revokeKey } from '#lib/session/publish-key';
import { retireSuperseded } from '#lib/session/retire-keys';
import { EVENT_TYPES } from '#lib/settings';
import * as keys from '#lib/table/keys';
import { put, remove } from '#lib/table/write';
import { DAY_MS, withOffset, withoutZone } from '#lib/time';
import { createLoginToken, createToken } from '#lib/token/create';
import { createRequested } from '#lib/token/create-once';
import { deleteToken } from '#lib/token/delete';
import { revokeTokens } from '#lib/token/revoke';
import { rotateToken } from '#lib/token/rotate';
import { by, NOON, openTestTable } from '../support/engine.ts';
import { gatewayEvent } from '../support/gateway-event.ts';
import {
  accountItem,
  eventItem,
  membership,
  SHOWN_FIELDS,
  storedSession,
  tokenItem,
  uuidOf,
} from '../support/items.ts';
import { logLines } from '../support/log-lines.ts';

const { table, wire, runtime: own } = await openTestTable({ Events: EVENT_TYPES.join() });
/** Two runs of a rule differ only by what they read. */
const runtime = { ...own, uuid: () => uuidOf(99), random: (bytes: number) => new Uint8Array(bytes) };
const ADMIN = by('admin');

type Item = Readonly<Record<string, unknown>>;

/**
 * An item that a rule reads, other values of the attributes that other requests may change, and the attributes that change
 * only together with another one.
 */
type Stored = readonly [keys.Key, item: Item, others: Item, versions?: Readonly<Record<string, string>>];
type Rule = readonly [file: string, Stored, run: (item: never) => Promise<unknown>];

const [{ username: _, ...SHOWN }, LATE] = [SHOWN_FIELDS, 'late'];
const others = (
  account: Account,
): Required<Omit<Account, 'id' | 'username' | 'created_at' | 'names_apart'>> => ({
  ...{ ...SHOWN, team_id: uuidOf(4), user_avatar: LATE, cancelled_at: LATE, cancelled_by: LATE, stamp: LATE },
  ...{ lastActivity: withoutZone(NOON - DAY_MS), failures_cleared_at: NOON - 1, lockoutenabled: false },
  lockoutend: account.lockoutend === undefined ? FOREVER : withOffset(NOON + 2 * DAY_MS),
  ...{ isactive: !account.isactive, never_used: !account.never_used, token_count: account.token_count + 1 },
  ...{ roles: [...account.roles, LATE], apps: [...account.apps, LATE] },
  ...{ teams: [...account.teams, membership(9)], transitions: (account.transitions ?? 0) + 1 },
  ended: { [LATE]: { at: NOON, until: NOON / 1000 } },
  ...{ token_ends: [NOON + 1], lock_reason: LATE },
});

const TEAMS = { teams: [membership(3), membership(4)], team_id: uuidOf(3), team_name: 'Team 3' };
const HELD = {
  ...accountItem({ ...TEAMS, roles: ['r'], apps: ['core', 'crm'] }),
  never_used: false,
  token_count: 2,
  token_ends: [NOON - 1],
};
const CANCELLED = { isactive: false, cancelled_at: 'then', cancelled_by: 'admin', transitions: 1 };
const FOR_GOOD = { lockoutend: FOREVER };
const FOR_A_TIME = { lockoutend: withOffset(NOON + 1) };
const ENDING = { ...FOR_A_TIME, lock_reason: '' };
const IDLE = { lastActivity: withoutZone(NOON - 2 * DAY_MS) };

const SESSION = keys.sessionKey('Ada', uuidOf(98));
const CHANGE = { add: { roles: ['s'], apps: ['x'] }, remove: { apps: ['core'] } };
const PROPERTIES = { user_properties: { root: {}, a: 1 }, team_id: uuidOf(4) };
const ETAG = etagOf({ user: profileUser(HELD, { root: {} }, NOON) });
const headers = { 'idempotency-key': 'order 1' };
const requestToken = (it: Account, actor: Actor) =>
  createRequested(runtime, it, { actor, headers, limits: {}, params: { token_name: 'ci' }, body: {} });
const FOUND = { tokens: 1, found: [{ ...keys.tokenKey('a'), username: 'Ada', name: 'held' }] } as never;

/** The rules that read an account, and its special attributes. */
const OF_ACCOUNT: [file: string, run: (account: Account) => Promise<unknown>, part?: Partial<Account>][] = [
  ['account/memberships', (it) => changeMemberships(table, it, CHANGE)],
  ['account/memberships', (it) => copyMemberships(table, accountItem({ roles: ['s'] }), it)],
  ['account/profile/context', (it) => switchContext(table, it, 'crm')],
  ['account/profile/update', (it) => updateProfile(runtime, it, { user_short: 'x', team_id: uuidOf(4) })],
  ['account/profile/update', (it) => updateProfile(runtime, it, PROPERTIES, ETAG)],
  ['account/sessions', (it) => endSession(runtime, it, SESSION.SK)],
  ['account/reset-stamp', (it) => endSessions(runtime, it)],
  ['account/lockout-enabled', (it) => setLockoutEnabled(table, it, false)],
  ['account/lifecycle/transition', (it) => lockAccount(runtime, it, ADMIN), FOR_A_TIME],
  ['account/lifecycle/transition', (it) => lockAccount(runtime, it, ADMIN, { until: NOON + 2 }), ENDING],
  ['account/lifecycle/transition', (it) => cancelAccount(runtime, it, ADMIN)],
  ['account/lifecycle/transition', (it) => reactivateAccount(runtime, it, ADMIN), CANCELLED],
  ['account/lifecycle/lock', (it) => unlockAccount(runtime, it, ADMIN), FOR_GOOD],
  ['account/lifecycle/lock', (it) => unlockAccount(runtime, it, ADMIN), FOR_A_TIME],
  ['account/lifecycle/tokens-of-cancelled', (it) => deleteTokensOfCancelled(runtime, it), CANCELLED],
  ['auth/activity', (it) => recordUse(runtime, it), IDLE],
  ['account/create-code', (it) => createCode(runtime, it, {})],
  ['login/lockout', (it) => lockForATime(runtime, it.username, it, it.failures_cleared_at ?? 0)],
  ['password/set-password', (it) => setPassword(runtime, it, 'correct horse')],
  ['password/set-password', (it) => setPassword(runtime, it, 'correct horse', ADMIN)],
  ['token/create', (it) => createToken(runtime, it, 'ci', ADMIN)],
  ['token/create', (it) => createLoginToken(runtime, it, ADMIN)],
  ['idempotency/once', (it) => requestToken(it, by('other'))],
  ['token/delete', (it) => deleteToken(runtime, it, 'held', ADMIN)],
  ['token/revoke', () => revokeTokens(runtime, FOUND, ADMIN)],
  ['token/create', (it) => rotateToken(runtime, it, 'held', ADMIN, 60)],
];
// Every change of these counts as a transition; the first use is an activity.
const COUNTED = ['apps', 'cancelled_at', 'cancelled_by', 'isactive', 'roles', 'teams'];
const OF_STATE = {
  ...Object.fromEntries(COUNTED.map((name) => [name, 'transitions'])),
  never_used: 'lastActivity',
  lock_reason: 'transitions',
};

const ROTATED = { sha256: 'b', former: { sha256: 'c', until: NOON + 1 } };
const HELD_NAME: Stored = [
  keys.tokenNameKey('Ada', 'held'),
  { sha256: 'a' },
  ROTATED,
  // A rotation sets both.
  { former: 'sha256' },
];
const LOGGED_IN: Stored = [
  keys.tokenKey('a'),
  { ...tokenItem({ session_until: NOON / 1000 + 30 }) },
  { token_used_at: LATE, session_until: NOON / 1000 + 60 },
];
const LOGIN_NAME: Stored = [keys.tokenNameKey('Ada', 'logintoken'), { sha256: 'a' }, { sha256: 'b' }];
const used = (token_used_at: string) => ({ ...tokenItem({ token_used_at }) });
const USED: Stored = [keys.tokenKey('a'), used(IDLE.lastActivity), used(withoutZone(NOON))];
const OPENED: Stored = [keys.tokenKey('a'), { ...tokenItem() }, { expires_at: NOON, session_until: 1 }];
const open = (presented: UsedToken) => {
  const token = { credential: 'ci', limits: {}, secret: 'a', token: presented };
  const begun = { id: uuidOf(97), kid: 'key', issuedAt: 1, end: 2, token };
  return recordSession(table, sessionRecord(HELD, begun, gatewayEvent()), token);
};
const TEXT: Stored = [keys.propertiesKey('Ada'), { json: '{"root":{}}' }, { json: '{"root":{"a":1}}' }];
const COST: Stored = [keys.passwordCostKey, { cost: 10 }, { cost: 11 }];

const LIST = { key: keys.attemptsOnNameKey('ada'), limit: PER_NAME, clearedAt: 0 };
const ATTEMPT = { id: 'a', at: NOON - 1, from: 'b' };
const MARKED = { attempts: [ATTEMPT], locked_at: NOON - DAY_MS, known_at: NOON };
const OF_LIST = { attempts: 'revision', locked_at: 'revision', known_at: 'revision' };
const ATTEMPTS: Stored = [LIST.key, { attempts: [], revision: 1 }, MARKED, OF_LIST];

const NEXT = { jwk: { kid: 'new' }, secret: 'arn', version: 'v' };
const OLD = { jwk: { kid: 'old' }, secret_id: 'arn' };
const ENDED = { expires_at: NOON, revoked_at: 1 };
// A revocation sets both.
const OF_KEY = { revoked_at: 'expires_at' };
const KEY: Stored = [keys.publicKeyItemKey('old'), OLD, ENDED, OF_KEY];
const EXPIRED_KEY: Stored = [keys.publicKeyItemKey('old'), { jwk: OLD.jwk, expires_at: 1 }, ENDED, OF_KEY];

const FAILED = { ...eventItem(1), attempts: 1, nextAttemptAt: NOON, lastError: 'then' };
const EVENT: Stored = [keys.outboxKey(FAILED.id), FAILED, { attempts: 2, nextAttemptAt: 1, lastError: LATE }];
const SEALED = { sealed: '', salt: '', tag: 'A'.repeat(22) };
const EXPIRED = { username: 'Ada', name: 'ci', sha256: 'a', ...SEALED, ttl: 1 };
const MADE: Stored = [
  keys.madeKey('admin', headers['idempotency-key']),
  EXPIRED,
  { username: 'Bob', name: LATE, ttl: NOON },
];

const fail = (place: unknown) => (place as Reservation).fail();
const RULES: Rule[] = [
  ...OF_ACCOUNT.map(([file, run, part]): Rule => {
    const item = { ...HELD, ...part };
    // A lock is a transition, a temporary lockout is none.
    const versions = item.lockoutend ? OF_STATE : { ...OF_STATE, lockoutend: 'transitions' };
    return [file, [keys.accountKey('Ada'), item, others(item), versions], run];
  }),
  ['token/create', LOGIN_NAME, () => createLoginToken(runtime, HELD, ADMIN)],
  ['idempotency/once', MADE, () => requestToken(HELD, ADMIN)],
  ['token/create', HELD_NAME, () => rotateToken(runtime, HELD, 'held', ADMIN, 60)],
  ['token/create', LOGGED_IN, () => rotateToken(runtime, HELD, 'held', ADMIN, 0)],
  ['token/delete', HELD_NAME, () => deleteToken(runtime, HELD, 'held', ADMIN)],
  [
    'account/lifecycle/tokens-of-cancelled',
    HELD_NAME,
    () => deleteTokensOfCancelled(runtime, { ...HELD, ...CANCELLED }),
  ],
  ['account/profile/update', TEXT, () => updateProfile(runtime, HELD, PROPERTIES, ETAG)],
  ['auth/activity', USED, (item) => recordUse(runtime, HELD, { key: keys.tokenKey('a'), item })],
  ['login/session-record', OPENED, (item) => open({ key: OPENED[0] as UsedToken['key'], item })],
  ['login/reservation', ATTEMPTS, (item) => reserveAtOnce(runtime, { ...LIST, item }, 'b').then(fail)],
  ['outbox/trials', EVENT, (item) => noteFailure(table, item, 'now', NOON)],
  ['password/cost', COST, () => surveyCosts(table)],
  ['session/publish-key', KEY, () => publishKey(table, { ...NEXT, jwk: { kid: 'old' } }, NOON)],
  ['session/publish-key', KEY, () => revokeKey(table, 'old', NOON)],
  ['session/retire-keys', KEY, () => retireSuperseded(runtime, NEXT, undefined, [])],
  ['session/retire-keys', EXPIRED_KEY, () => retireSuperseded(runtime, NEXT, undefined, [])],
];

/** Files whose writes depend on nothing that they have read, or whose own tests check this. */
const OTHER_FILES = [
  ...['account/create', 'team/team', 'table/cursor'],
  ...['outbox/commit', 'outbox/outbox', 'password/renew', 'token/expiring'],
];

/** A write to an item, with the names and values of placeholders, and the attributes in its condition. */
type Write = Readonly<{ of: string; change: string; conditions: readonly string[] }>;
type Sent = Readonly<Record<string, Item>>;

function writesIn(operation: string, input: Item): Write[] {
  const { TransactItems: all } = input as { TransactItems?: Sent[] };
  if (all) return all.flatMap((one) => Object.entries(one).flatMap(([name, each]) => writesIn(name, each)));
  const { Key, Item, ExpressionAttributeNames: names, ExpressionAttributeValues: values } = input as Sent;
  const named = (text: unknown) => `${text}`.replace(/#\w+/g, (name) => `${names?.[name]}`);
  const filled = named(input['UpdateExpression']).replace(/:\w+/g, (name) => JSON.stringify(values?.[name]));
  const { PK, SK } = (Key ?? Item) as Item;
  const change = operation === 'ConditionCheck' ? '' : JSON.stringify([operation, Key, Item, filled]);
  const conditions = named(input['ConditionExpression']).match(/(?<!:)\b\w+/g) ?? [];
  return [{ of: JSON.stringify([PK, SK]), change, conditions }];
}

/** The writes of a rule that reads this item; none is carried out. */
async function writesAfter([, [key], run]: Rule, item: Item): Promise<Write[]> {
  wire.reset();
  await put(table, key, item as object);
  const sent: Write[] = [];
  wire.script((operation, input) => {
    // Ends a rule that continues until nothing is left.
    if (operation === 'Query' && sent.length > 0) return { status: 200, body: { Items: [] } };
    if (!/Put|Update|Delete|Transact/.test(operation)) return undefined;
    sent.push(...writesIn(operation, input));
    return { status: 200, body: {} };
  });
  await run(item as never).catch((error) => expect(error).toBeInstanceOf(Failure));
  return sent;
}
const changesOf = (writes: readonly Write[]) => JSON.stringify(writes.map(({ change }) => change).sort());

logLines();
beforeAll(() => void vi.spyOn(bcryptjs, 'hash').mockResolvedValue('a hash' as never));
beforeEach(async () => {
  await storedSession(table, HELD, { id: SESSION.SK });
  await put(table, keys.accountKey('Ada'), { ...HELD, ...CANCELLED });
  for (const [key, item] of [HELD_NAME, LOGIN_NAME, LOGGED_IN]) await put(table, key, item);
});

test.each(RULES.map((rule, n) => [`${n} of ${rule[0]}`, rule] as const))(
  'write %s depends on nothing that was read without a condition on it',
  async (_name, rule) => {
    const [, [key, item, others, versions = {}]] = rule;
    const writes = await writesAfter(rule, item);
    expect(writes).not.toEqual([]);
    const own = JSON.stringify([{ S: key.PK }, { S: key.SK }]);
    const conditions = writes.flatMap((write) => (write.of === own ? write.conditions : []));
    const unchecked = Object.entries(others).filter(([name]) => !conditions.includes(versions[name] ?? name));
    const dependsOn = async (changes: typeof unchecked) =>
      changesOf(await writesAfter(rule, { ...item, ...Object.fromEntries(changes) })) !== changesOf(writes);
    const found: string[] = [];
    // Most rules pass at once; for the others, each attribute is tested.
    if (await dependsOn(unchecked))
      for (const change of unchecked) if (await dependsOn([change])) found.push(change[0]);
    wire.reset();
    await remove(table, key);
    expect(found).toEqual([]);
  },
);

const WRITING =
  /import \{[^}]*\b(update|updateAll|transact|put|remove|commitWithEvents?)\b[^}]*\} from '.*(write|commit).ts'/;

test('every file of lib that writes is in one of the lists', () => {
  const files = globSync('lib/**/*.ts').filter((file) => WRITING.test(readFileSync(file, 'utf8')));
  expect(files.length).toBeGreaterThan(20);
  const listed = [...RULES.map(([file]) => file), ...OTHER_FILES].map((file) => `lib/${file}.ts`);
  expect(files.filter((file) => !listed.includes(file))).toEqual([]);
});
