import { createHash } from 'node:crypto';
import { v5 } from 'uuid';
import { accountOf, draftOf, writesOf } from '#lib/account/create';
import { type Account, FOREVER } from '#lib/item/account';
import type { Membership, Team } from '#lib/item/team';
import type { TokenItem } from '#lib/item/token';
import { type Runtime, runtimeOn } from '#lib/runtime';
import { readSettings } from '#lib/settings';
import { countIn } from '#lib/stats/counters';
import { moveActivity } from '#lib/stats/slices';
import { cancellationKey, type Key, teamKey, tokenIndex, tokenKey, tokenNameKey } from '#lib/table/keys';
import type { Table } from '#lib/table/table';
import type { TransactWrite } from '#lib/table/write';
import { DAY_MS, withoutZone } from '#lib/time';
import { generateApiToken, hashApiToken } from '#lib/token/secret';

const FIRST = ['ada', 'grace', 'juergen', 'margaret', 'barbara', 'alan', 'edsger', 'frances', 'john', 'mary'];
const LAST = ['lovelace', 'hopper', 'hamilton', 'liskov', 'turing', 'allen', 'mccarthy', 'shaw', 'karp'];
const PHONE_DIGITS = 7;

/** Accounts of a team; every second account is in the large one as well. */
export const TEAM_SIZE = 100;
export const LARGE_TEAM = 'everyone';
/** Every so many accounts have an API token, custom properties, or are locked, cancelled, never used. */
export const EVERY = { token: 5, properties: 10, unused: 10, locked: 200, cancelled: 500 };
export const TOKEN = 'service';

/** Days since the last activity; counters tell of days up to eight ago. */
const DAYS_AGO = [0, 0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 60, 90];
const COUNTED_DAYS = 8;

const NAMESPACE = 'c0a1e5ce-0000-5000-8000-000000000000';
const pick = <T>(list: readonly T[], n: number) => list[n % list.length] as T;
const isEvery = (kind: keyof typeof EVERY, n: number) => n % EVERY[kind] === EVERY[kind] - 1;

/** The name of the nth account, from 0: in the order of the directory, each size is spread over all of it. */
export const usernameOf = (n: number) =>
  `${pick(FIRST, n)}.${pick(LAST, Math.floor(n / FIRST.length))}.${n}@example.com`;

export const teamOf = (n: number) => `team-${Math.floor(n / TEAM_SIZE)}`;
export const hasToken = (n: number) => isEvery('token', n);

/** The nth of a hundred accounts, spread over the first thousand: all are active, unlocked, used and have a token. */
export const sample = (n: number) => 4 + 10 * ((n * 37) % 100);

/** The secret of the API token of the nth account: the same whenever it is asked for. */
export function secretOf(n: number): string {
  let drawn = 0;
  return generateApiToken((bytes) =>
    createHash('shake256', { outputLength: bytes }).update(`scale ${n} ${drawn++}`).digest(),
  );
}

const team = (short: string): Team => ({
  team_id: v5(`team ${short}`, NAMESPACE),
  team_short: short,
  team_name: `The ${short}`,
  team_type: 'internal',
});

type Item = Key & Readonly<Record<string, unknown>>;

/** All that an account brings with it. */
export interface Member {
  readonly items: readonly Item[];
  /** What counts it, one by one. */
  readonly counts: readonly TransactWrite[];
}

/**
 * Makes the accounts of a directory, the nth always the same.
 *
 * @param at the time of the fill, in milliseconds since the epoch: activity is told from there
 */
export function population(table: Table, at: number) {
  const runtime = runtimeOn(
    table,
    'scale',
    readSettings(() => undefined),
  );
  return (n: number): Member => {
    const username = usernameOf(n);
    const memberships: Membership[] = [teamOf(n), ...(n % 2 === 0 ? [LARGE_TEAM] : [])].map((short) => ({
      ...team(short),
      teamuser_lvl: null,
    }));
    const draft = draftOf({
      username,
      roles: n % 3 === 0 ? ['editor'] : ['reader', 'reviewer'],
      user_first_name: pick(FIRST, n),
      user_last_name: pick(LAST, Math.floor(n / FIRST.length)),
      phonenumber: `+43 1 ${String(n).padStart(PHONE_DIGITS, '0')}`,
      ...(isEvery('properties', n) ? { user_properties: { root: { theme: 'dark', n } } } : {}),
    });
    const account = {
      ...accountOf(deterministic(runtime, n), draft, memberships, createdAt(at, n)),
      ...stateOf(n, at),
    };
    const { condition, others } = writesOf(account, draft, undefined);
    return {
      items: [
        condition.Put.Item,
        ...others.map(({ Put }) => Put?.Item as Item),
        ...(n % TEAM_SIZE === 0 ? [{ ...teamKey(teamOf(n)), ...team(teamOf(n)) }] : []),
        ...(n === 0 ? [{ ...teamKey(LARGE_TEAM), ...team(LARGE_TEAM) }] : []),
        ...(account.cancelled_at
          ? [
              {
                ...cancellationKey(username, account.cancelled_at),
                username,
                cancelled_at: account.cancelled_at,
              },
            ]
          : []),
        ...(hasToken(n) ? tokenItems(n, account) : []),
      ],
      counts: countsOf(account, n, at),
    };
  };
}

function deterministic(runtime: Runtime, n: number): Runtime {
  let drawn = 0;
  return { ...runtime, uuid: () => v5(`account ${n} ${drawn++}`, NAMESPACE) };
}

const createdAt = (at: number, n: number) => at - 400 * DAY_MS + (n % 86_400) * 1000;
const activeAt = (at: number, n: number) => at - pick(DAYS_AGO, n * 7) * DAY_MS - (n % 3600) * 1000;

function stateOf(n: number, at: number): Partial<Account> {
  const cancelledAt = at - (n % 365) * DAY_MS;
  return {
    token_count: hasToken(n) ? 1 : 0,
    ...(isEvery('unused', n) ? {} : { never_used: false, lastActivity: withoutZone(activeAt(at, n)) }),
    ...(isEvery('locked', n) ? { lockoutend: FOREVER } : {}),
    ...(isEvery('cancelled', n)
      ? { isactive: false, cancelled_at: new Date(cancelledAt).toISOString(), cancelled_by: 'admin' }
      : {}),
  };
}

function tokenItems(n: number, { username, id, created_at }: Account): Item[] {
  const sha256 = hashApiToken(secretOf(n));
  const item: TokenItem = {
    username,
    userid: id,
    name: TOKEN,
    token_created_at: created_at,
    token_created_by: 'admin',
    token_used_at: created_at,
  };
  return [
    { ...tokenNameKey(username, TOKEN), sha256 },
    { ...tokenKey(sha256), ...tokenIndex(username, TOKEN), ...item },
  ];
}

function countsOf({ username, never_used }: Account, n: number, at: number): TransactWrite[] {
  const active = activeAt(at, n);
  const isCounted = never_used !== true && at - active < (COUNTED_DAYS + 1) * DAY_MS;
  return [
    countIn('COUNT', username, 1),
    ...(isEvery('locked', n) ? [countIn('LOCKED', username, 1)] : []),
    ...(isCounted ? [moveActivity(username, active)] : []),
  ];
}
