import { globSync, readFileSync } from 'node:fs';
import bcryptjs from 'bcryptjs';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { becomeMachine } from '#lib/account/access';
import { createCode } from '#lib/account/create-code';
import { cancelAccount } from '#lib/account/lifecycle/cancel';
import { lockAccount, unlockAccount } from '#lib/account/lifecycle/lock';
import { reactivateAccount } from '#lib/account/lifecycle/reactivate';
import { setLockoutEnabled } from '#lib/account/lockout-enabled';
import { changeMemberships, copyMemberships } from '#lib/account/memberships';
import { switchContext } from '#lib/account/profile/context';
import { etagOf } from '#lib/account/profile/etag';
import { profileUser } from '#lib/account/profile/profile';
import { updateProfile } from '#lib/account/profile/update';
import { endSessions, resetStamp } from '#lib/account/reset-stamp';
import { endSession } from '#lib/account/sessions';
import { removeRevoked } from '#lib/account/tokens/remove';
import { endGeneration } from '#lib/account/tokens/revocation';
import { recordUse, type UsedToken } from '#lib/auth/activity';
import type { Actor } from '#lib/event/event';
import { Failure } from '#lib/failure/failure';
import { EVENT_TYPES } from '#lib/instance/settings';
import type { Account } from '#lib/item/account';
import { lockForATime } from '#lib/login/lockout';
import { type Reservation, reserveAtOnce } from '#lib/login/reservation';
import { recordSession, sessionRecord } from '#lib/login/session-record';
import { noteFailure } from '#lib/outbox/trials';
import { noteFall } from '#lib/passkey/counter';
import { createPasskey } from '#lib/passkey/create';
import { removePasskey } from '#lib/passkey/delete';
import { passkeyOptions } from '#lib/passkey/options';
import { surveyCosts } from '#lib/password/cost';
import { setPassword } from '#lib/password/set-password';
import { RESOURCE_KEYS } from '#lib/resource/key-use';
import { type KeyUse, SESSION_KEYS } from '#lib/session/key-use';
import { publishKey, revokeKey } from '#lib/session/publish-key';
import { retireSuperseded } from '#lib/session/retire-keys';
import { AMR, type VerifiedSession } from '#lib/session/session-token';
import * as keys from '#lib/table/keys';
import { put, remove } from '#lib/table/write';
import { deleteTeam } from '#lib/team/delete';
import { renameTeam } from '#lib/team/rename';
import { createTeam } from '#lib/team/team';
import { createLoginToken, createToken } from '#lib/token/create';
import { createRequested } from '#lib/token/create-once';
import { deleteToken } from '#lib/token/delete';
import { revokeTokens } from '#lib/token/revoke';
import { rotateToken } from '#lib/token/rotate';
import { createTrust } from '#lib/trust/create';
import { deleteTrust } from '#lib/trust/delete';
import { newAuthenticator } from '../../authenticator.ts';
import { by, NOON, openTestTable } from '../support/engine.ts';
import { gatewayEvent } from '../support/gateway-event.ts';
import { accountItem, storedSession, uuidOf } from '../support/items.ts';
import { logLines } from '../support/log-lines.ts';
import {
  ATTEMPTS,
  CANCELLED,
  COST,
  ENDING,
  EVENT,
  expiredKey,
  FOR_A_TIME,
  FOR_GOOD,
  HELD,
  HELD_NAME,
  IDEMPOTENCY_KEY,
  IDLE,
  type Item,
  LIST,
  LOGGED_IN,
  LOGIN_NAME,
  MADE,
  OPENED,
  type Stored,
  storedAccount,
  storedKey,
  TEAM,
  TEXT,
  TOKEN_KEY,
  USED,
} from './contended-items.ts';

const { table, wire, runtime: own } = await openTestTable({ Events: EVENT_TYPES.join() });
/** Two runs of a rule differ only by what they read. */
const runtime = {
  ...own,
  uuid: () => uuidOf(99),
  random: (bytes: number) => Uint8Array.from({ length: bytes }, (_, at) => at),
};
const ADMIN = by('admin');

interface Rule {
  readonly file: string;
  readonly reads: Stored;
  readonly run: (item: never) => Promise<unknown>;
}

const SESSION = keys.sessionKey('Ada', uuidOf(98));
const CHANGE = { add: { roles: ['s'], apps: ['x'] }, remove: { apps: ['core'] } };
const PROPERTIES = { user_properties: { root: {}, a: 1 }, team_id: uuidOf(4) };
const ETAG = etagOf({ user: profileUser(HELD, { root: {} }, NOON) });
const headers = { 'idempotency-key': IDEMPOTENCY_KEY };
const requestToken = (it: Account, actor: Actor) =>
  createRequested(runtime, it, { actor, headers, limits: {}, params: { token_name: 'ci' }, body: {} });
const REVOKED = { revoked_of: 'Ada', revoked_generation: 0, revoked_at: NOON, revoked_by: 'Ada' };
const FOUND = { tokens: 1, found: [{ ...TOKEN_KEY, username: 'Ada', name: 'held' }] } as never;

const PASSKEYS = { passkeys: { phone: 'a', key: 'b' } };
const BEGUN = { amr: AMR.password, iat: NOON / 1000 } as unknown as VerifiedSession;
const { options } = await passkeyOptions(own, accountItem(), BEGUN, { purpose: 'create' });
const CREDENTIAL = newAuthenticator().create(options, { origin: 'http://localhost' });
const createDevicePasskey = (it: Account) => createPasskey(runtime, it, BEGUN, 'phone', CREDENTIAL, ADMIN);

const MACHINE = { kind: 'machine', owner: 'Olga', trusts: { deploy: 'id' } } as const;
const ISSUER = {
  name: 'ci',
  issuer: 'https://ci.example.com',
  platform: 'other',
  single_use: false,
} as const;
const TRUST = { issuer: 'ci', subject: 'job', issuers: [ISSUER] };

/** The rules that read an account. `part` has its special attributes. */
const OF_ACCOUNT: { file: string; run: (account: Account) => Promise<unknown>; part?: Partial<Account> }[] = [
  { file: 'account/memberships', run: (it) => changeMemberships(runtime, it, CHANGE) },
  { file: 'account/memberships', run: (it) => copyMemberships(runtime, accountItem({ roles: ['s'] }), it) },
  { file: 'account/profile/context', run: (it) => switchContext(table, it, 'crm') },
  {
    file: 'account/profile/update',
    run: (it) => updateProfile(runtime, it, { user_short: 'x', team_id: uuidOf(4) }),
  },
  { file: 'account/profile/update', run: (it) => updateProfile(runtime, it, PROPERTIES, ETAG) },
  { file: 'account/sessions', run: (it) => endSession(runtime, it, SESSION.SK) },
  { file: 'account/reset-stamp', run: (it) => endSessions(runtime, it) },
  { file: 'account/reset-stamp', run: (it) => resetStamp(runtime, it) },
  { file: 'account/lockout-enabled', run: (it) => setLockoutEnabled(table, it, false) },
  { file: 'account/lifecycle/transition', run: (it) => lockAccount(runtime, it, ADMIN), part: FOR_A_TIME },
  {
    file: 'account/lifecycle/transition',
    run: (it) => lockAccount(runtime, it, ADMIN, { until: NOON + 2 }),
    part: ENDING,
  },
  { file: 'account/lifecycle/transition', run: (it) => cancelAccount(runtime, it, ADMIN) },
  {
    file: 'account/lifecycle/transition',
    run: (it) => reactivateAccount(runtime, it, ADMIN),
    part: CANCELLED,
  },
  { file: 'account/lifecycle/lock', run: (it) => unlockAccount(runtime, it, ADMIN), part: FOR_GOOD },
  { file: 'account/lifecycle/lock', run: (it) => unlockAccount(runtime, it, ADMIN), part: FOR_A_TIME },
  {
    file: 'account/lifecycle/transition',
    run: (it) => reactivateAccount(runtime, it, ADMIN, { revoke_tokens: true }),
    part: CANCELLED,
  },
  {
    file: 'account/end-passkeys',
    run: (it) => reactivateAccount(runtime, it, ADMIN, { end_passkeys: true }),
    part: { ...CANCELLED, ...PASSKEYS },
  },
  { file: 'account/tokens/revocation', run: (it) => endGeneration(runtime, it, ADMIN) },
  { file: 'account/tokens/remove', run: () => removeRevoked(runtime, REVOKED, NOON) },
  { file: 'auth/activity', run: (it) => recordUse(runtime, it), part: IDLE },
  { file: 'account/create-code', run: (it) => createCode(runtime, it, ADMIN, {}) },
  { file: 'login/lockout', run: (it) => lockForATime(runtime, it.username, it, it.failures_cleared_at ?? 0) },
  { file: 'passkey/counter', run: (it) => noteFall(runtime, it, 'b') },
  { file: 'passkey/create', run: (it) => createDevicePasskey(it) },
  { file: 'passkey/delete', run: (it) => removePasskey(runtime, it, 'phone', ADMIN), part: PASSKEYS },
  {
    file: 'passkey/delete',
    run: (it) => removePasskey(runtime, it, 'phone', ADMIN, { isRemedy: true }),
    part: PASSKEYS,
  },
  { file: 'trust/create', run: (it) => createTrust(runtime, it, 'other', ADMIN, TRUST), part: MACHINE },
  { file: 'trust/delete', run: (it) => deleteTrust(runtime, it, 'deploy', ADMIN), part: MACHINE },
  {
    file: 'account/end-trusts',
    run: (it) => reactivateAccount(runtime, it, ADMIN, { revoke_tokens: true }),
    part: { ...CANCELLED, ...MACHINE },
  },
  { file: 'account/access', run: (it) => becomeMachine(runtime, it, 'Olga', ADMIN), part: PASSKEYS },
  { file: 'password/set-password', run: (it) => setPassword(runtime, it, 'correct horse') },
  { file: 'password/set-password', run: (it) => setPassword(runtime, it, 'correct horse', ADMIN) },
  { file: 'token/create', run: (it) => createToken(runtime, it, 'ci', ADMIN) },
  { file: 'token/create', run: (it) => createLoginToken(runtime, it, ADMIN) },
  { file: 'idempotency/once', run: (it) => requestToken(it, by('other')) },
  { file: 'token/delete', run: (it) => deleteToken(runtime, it, 'held', ADMIN) },
  { file: 'token/revoke', run: () => revokeTokens(runtime, FOUND, ADMIN) },
  { file: 'token/create', run: (it) => rotateToken(runtime, it, 'held', ADMIN, 60) },
];
const open = (presented: UsedToken) => {
  const token = { credential: 'ci', limits: {}, secret: 'a', token: presented };
  const begun = { id: uuidOf(97), kid: 'key', issuedAt: 1, end: 2, token };
  return recordSession(table, sessionRecord(HELD, begun, gatewayEvent()), token);
};
const NEXT = { jwk: { kid: 'new' }, secret: 'arn', version: 'v' };
const fail = (place: unknown) => (place as Reservation).fail();
/** The rules that read a public key. */
const ofKeys = (use: KeyUse): Rule[] => [
  {
    file: 'session/publish-key',
    reads: storedKey(use),
    run: () => publishKey(table, { ...NEXT, jwk: { kid: 'old' } }, NOON, use),
  },
  { file: 'session/publish-key', reads: storedKey(use), run: () => revokeKey(table, 'old', NOON, use) },
  ...[storedKey(use), expiredKey(use)].map((reads) => ({
    file: 'session/retire-keys',
    reads,
    run: () => retireSuperseded(runtime, NEXT, undefined, use),
  })),
];

const RULES: Rule[] = [
  ...OF_ACCOUNT.map(({ file, run, part }): Rule => ({ file, reads: storedAccount(part), run })),
  { file: 'token/create', reads: LOGIN_NAME, run: () => createLoginToken(runtime, HELD, ADMIN) },
  { file: 'idempotency/once', reads: MADE, run: () => requestToken(HELD, ADMIN) },
  { file: 'token/create', reads: HELD_NAME, run: () => rotateToken(runtime, HELD, 'held', ADMIN, 60) },
  { file: 'token/create', reads: LOGGED_IN, run: () => rotateToken(runtime, HELD, 'held', ADMIN, 0) },
  { file: 'token/delete', reads: HELD_NAME, run: () => deleteToken(runtime, HELD, 'held', ADMIN) },
  {
    file: 'account/tokens/remove',
    reads: HELD_NAME,
    run: () => removeRevoked(runtime, REVOKED, NOON),
  },
  { file: 'account/profile/update', reads: TEXT, run: () => updateProfile(runtime, HELD, PROPERTIES, ETAG) },
  { file: 'auth/activity', reads: USED, run: (item) => recordUse(runtime, HELD, { key: TOKEN_KEY, item }) },
  { file: 'login/session-record', reads: OPENED, run: (item) => open({ key: TOKEN_KEY, item }) },
  {
    file: 'login/reservation',
    reads: ATTEMPTS,
    run: (item) => reserveAtOnce(runtime, { ...LIST, item }, 'b').then(fail),
  },
  { file: 'outbox/trials', reads: EVENT, run: (item) => noteFailure(table, item, 'now', NOON) },
  { file: 'team/change', reads: TEAM, run: () => renameTeam(runtime, { short: 'ops', name: 'New' }, ADMIN) },
  { file: 'team/change', reads: TEAM, run: () => deleteTeam(runtime, { short: 'ops', to: 'heir' }, ADMIN) },
  { file: 'password/cost', reads: COST, run: () => surveyCosts(table) },
  ...[SESSION_KEYS, RESOURCE_KEYS].flatMap(ofKeys),
];

/** Files whose writes depend on nothing that they have read, or whose own tests check this. */
const OTHER_FILES = [
  // Whatever has changed refuses its session at the first request: test/unit/oauth/exchange.test.ts.
  'oauth/issue-session',
  // It only spends a token that signs in once; what it issues lives for minutes, whatever changes.
  'oauth/issue-resource-token',
  // Its condition, on the count and on whom the entry names, stands for all that it read: test/unit/audit/fold.test.ts.
  'audit/fold',
  // A block replaces an earlier one, whatever its end.
  'login/blocks',
  // Stored once: a check value that is there refuses another.
  'pseudonym/erasure-key',
  // It stores what it has fetched, while its claim is the last one: test/unit/trust/issuer-keys.test.ts.
  'trust/issuer-keys',
  // One counter, with its limit as the condition.
  'export/pages',
  // It writes what an account does not say yet: test/unit/account/note-passwords.test.ts.
  'account/note-passwords',
  ...['account/create', 'account/lifecycle/reactivate', 'team/team', 'team/follow', 'table/secret'],
  ...['outbox/commit', 'outbox/outbox', 'password/renew', 'token/expiring', 'passkey/assert'],
  ...['erasure/complete', 'erasure/erase', 'table/pass', 'erasure/record'],
  ...['erasure/remove-own', 'erasure/traces'],
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
async function writesAfter({ reads: { key }, run }: Rule, item: Item): Promise<Write[]> {
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
beforeAll(() => createTeam(own, { short: 'heir', name: 'Heir', type: 'internal' }).then(() => undefined));
beforeEach(async () => {
  await storedSession(table, HELD, { id: SESSION.SK });
  await put(table, keys.accountKey('Ada'), { ...HELD, ...CANCELLED });
  await put(table, keys.accountKey('Olga'), accountItem({ username: 'Olga', id: uuidOf(55) }));
  for (const { key, item } of [HELD_NAME, LOGIN_NAME, LOGGED_IN]) await put(table, key, item);
});

test.each(RULES.map((rule, n) => [`${n} of ${rule.file}`, rule] as const))(
  'write %s depends on nothing that was read without a condition on it',
  async (_name, rule) => {
    const { key, item, others, versions = {} } = rule.reads;
    const writes = await writesAfter(rule, item);
    expect(writes).not.toEqual([]);
    const own = JSON.stringify([{ S: key.PK }, { S: key.SK }]);
    const conditions = writes.flatMap((write) => (write.of === own ? write.conditions : []));
    const unchecked = Object.entries(others).filter(
      ([name]) => !conditions.includes(name) && !conditions.includes(versions[name] ?? name),
    );
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
  const listed = [...RULES.map(({ file }) => file), ...OTHER_FILES].map((file) => `lib/${file}.ts`);
  const message = 'Add a row to RULES, or if its writes depend on nothing that it reads, to OTHER_FILES';
  expect(
    files.filter((file) => !listed.includes(file)),
    message,
  ).toEqual([]);
});
