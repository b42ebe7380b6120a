import { EVENT_TYPES } from '#lib/instance/settings';
import { type Account, FOREVER, generationOf } from '#lib/item/account';
import { type Sequences, sequenceOf } from '#lib/item/sequence';
import { asStored } from '#lib/item/token';
import { PER_NAME } from '#lib/login/attempts';
import type { KeyUse } from '#lib/session/key-use';
import * as keys from '#lib/table/keys';
import { DAY_MS, withOffset, withoutZone } from '#lib/time';
import {
  accountItem,
  eventItem,
  membership,
  NOON,
  SHOWN_FIELDS,
  tokenItem,
  uuidOf,
} from '../support/items.ts';

export type Item = Readonly<Record<string, unknown>>;

/** An item that a rule reads. */
export interface Stored {
  readonly key: keys.Key;
  readonly item: Item;
  /** Other values of the attributes that other requests may change. */
  readonly others: Item;
  /** The attributes that change only together with another one, by name. */
  readonly versions?: Readonly<Record<string, string>>;
}
const { username: _, ...SHOWN } = SHOWN_FIELDS;
const LATE = 'late';

const SEQUENCES = Object.fromEntries(EVENT_TYPES.map((type) => [sequenceOf(type), 7])) as Required<Sequences>;

/** Other values of the attributes of an account. */
const othersOf = (
  account: Account,
): Required<Omit<Account, 'id' | 'username' | 'created_at' | 'names_apart'>> => ({
  ...SHOWN,
  ...SEQUENCES,
  team_id: uuidOf(4),
  user_avatar: LATE,
  cancelled_at: LATE,
  cancelled_by: LATE,
  stamp: LATE,
  lastActivity: withoutZone(NOON - DAY_MS),
  failures_cleared_at: NOON - 1,
  lockoutenabled: false,
  lockoutend: account.lockoutend === undefined ? FOREVER : withOffset(NOON + 2 * DAY_MS),
  lock_reason: LATE,
  isactive: !account.isactive,
  never_used: !account.never_used,
  password_set: !account.password_set,
  open_code: { until: NOON, made_at: NOON, stamp: LATE },
  token_count: account.token_count + 1,
  token_ends: [NOON + 1],
  token_generation: generationOf(account) + 1,
  roles: [...account.roles, LATE],
  apps: [...account.apps, LATE],
  teams: [...account.teams, membership(9)],
  transitions: (account.transitions ?? 0) + 1,
  code_generation: (account.code_generation ?? 0) + 1,
  counters_fell: { [LATE]: LATE },
  enrolments: { [LATE]: { id: LATE, rp_id: LATE, created_at: LATE } },
  ended: { [LATE]: { at: NOON, until: NOON / 1000 } },
  ended_until: NOON / 1000,
  passkeys: { [LATE]: LATE },
  kind: 'machine',
  owner: LATE,
  trusts: { [LATE]: LATE },
});

const TEAMS = { teams: [membership(3), membership(4)], team_id: uuidOf(3), team_name: 'Team 3' };
export const HELD = {
  ...accountItem({ ...TEAMS, roles: ['r'], apps: ['core', 'crm'] }),
  never_used: false,
  token_count: 2,
  token_ends: [NOON - 1],
};
export const CANCELLED = { isactive: false, cancelled_at: 'then', cancelled_by: 'admin', transitions: 1 };
export const FOR_GOOD = { lockoutend: FOREVER };
export const FOR_A_TIME = { lockoutend: withOffset(NOON + 1) };
export const ENDING = { ...FOR_A_TIME, lock_reason: '' };
export const IDLE = { lastActivity: withoutZone(NOON - 2 * DAY_MS) };

// Every change of these counts as a transition; the first use is an activity.
const COUNTED = [
  'apps',
  'cancelled_at',
  'cancelled_by',
  'isactive',
  'kind',
  'owner',
  'roles',
  'teams',
  'trusts',
];
const OF_STATE = {
  ...Object.fromEntries(COUNTED.map((name) => [name, 'transitions'])),
  never_used: 'lastActivity',
  lock_reason: 'transitions',
};

/** The item of the account with special attributes. */
export function storedAccount(part: Partial<Account> = {}): Stored {
  const item = { ...HELD, ...part };
  // A lock is a transition, a temporary lockout is none.
  const versions = item.lockoutend ? OF_STATE : { ...OF_STATE, lockoutend: 'transitions' };
  return { key: keys.accountKey('Ada'), item, others: othersOf(item), versions };
}

export const TOKEN_KEY = keys.tokenKey('a');
const ROTATED = { sha256: 'b', former: { sha256: 'c', until: NOON + 1 } };
export const HELD_NAME: Stored = {
  key: keys.tokenNameKey('Ada', 'held'),
  item: { sha256: 'a' },
  others: ROTATED,
  // A rotation sets both.
  versions: { former: 'sha256' },
};
export const LOGGED_IN: Stored = {
  key: TOKEN_KEY,
  item: { ...asStored(tokenItem({ session_until: NOON / 1000 + 30 })) },
  others: { token_used_at: LATE, session_until: NOON / 1000 + 60 },
};
export const LOGIN_NAME: Stored = {
  key: keys.tokenNameKey('Ada', 'logintoken'),
  item: { sha256: 'a' },
  others: { sha256: 'b' },
};
const used = (token_used_at: string) => ({ ...asStored(tokenItem({ token_used_at })) });
export const USED: Stored = {
  key: TOKEN_KEY,
  item: used(IDLE.lastActivity),
  others: used(withoutZone(NOON)),
};
export const OPENED: Stored = {
  key: TOKEN_KEY,
  item: { ...asStored(tokenItem()) },
  others: { expires_at: NOON, session_until: 1 },
};
export const TEXT: Stored = {
  key: keys.propertiesKey('Ada'),
  item: { json: '{"root":{}}' },
  others: { json: '{"root":{"a":1}}' },
};
export const TEAM: Stored = {
  key: keys.teamKey('ops'),
  item: { team_id: uuidOf(5), team_short: 'ops', team_name: 'Operations', team_type: 'internal' },
  others: {
    team_name: 'Other',
    transitions: 7,
    changed_at: NOON - 1,
    successor: 'other',
    sequence_team_rename: 7,
    sequence_team_delete: 7,
  },
};
export const COST: Stored = { key: keys.passwordCostKey, item: { cost: 10 }, others: { cost: 11 } };

export const LIST = { key: keys.attemptsOnNameKey('ada'), limit: PER_NAME, clearedAt: 0 };
const ATTEMPT = { id: 'a', at: NOON - 1, from: 'b' };
const MARKED = { attempts: [ATTEMPT], locked_at: NOON - DAY_MS, known_at: NOON, blocked_until: NOON - 1 };
export const ATTEMPTS: Stored = {
  key: LIST.key,
  item: { attempts: [], revision: 1 },
  others: MARKED,
  versions: { attempts: 'revision', locked_at: 'revision', known_at: 'revision' },
};

const OLD = { jwk: { kid: 'old' }, secret_id: 'arn' };
const ENDED = { expires_at: NOON, revoked_at: 1 };
// A revocation sets both.
const OF_KEY = { revoked_at: 'expires_at' };
/** A public key of any use. */
export const storedKey = ({ itemKey }: Pick<KeyUse, 'itemKey'>): Stored => ({
  key: itemKey('old'),
  item: OLD,
  others: ENDED,
  versions: OF_KEY,
});
export const expiredKey = (use: Pick<KeyUse, 'itemKey'>): Stored => ({
  ...storedKey(use),
  item: { jwk: OLD.jwk, expires_at: 1 },
});

const FAILED = { ...eventItem(1), attempts: 1, nextAttemptAt: NOON, lastError: 'then' };
export const EVENT: Stored = {
  key: keys.outboxKey(FAILED.id),
  item: FAILED,
  others: { attempts: 2, nextAttemptAt: 1, lastError: LATE },
};
export const IDEMPOTENCY_KEY = 'order 1';
const SEALED = { sealed: '', salt: '', tag: 'A'.repeat(22) };
const EXPIRED = { username: 'Ada', name: 'ci', sha256: 'a', ...SEALED, ttl: 1 };
export const MADE: Stored = {
  key: keys.madeKey('admin', IDEMPOTENCY_KEY),
  item: EXPIRED,
  others: { username: 'Bob', name: LATE, ttl: NOON },
};
