import { createHash } from 'node:crypto';
import type { Account } from '#lib/item/account';
import { type FilledIn, UNFILLED } from '#lib/item/fields';
import type { OutboxEvent } from '#lib/item/outbox-event';
import type { SessionRecord } from '#lib/item/session';
import type { Membership } from '#lib/item/team';
import { asStored, type TokenItem } from '#lib/item/token';
import { passkeyIdOf } from '#lib/passkey/passkey';
import { assign } from '#lib/table/expressions';
import {
  accountKey,
  type Key,
  passkeyKey,
  sessionKey,
  tokenIndex,
  tokenKey,
  tokenNameKey,
} from '#lib/table/keys';
import type { Table } from '#lib/table/table';
import { put, transact, update } from '#lib/table/write';
import { foldCase } from '#lib/text/fold-case';
import { isoOf, withoutZone } from '#lib/time';
import { hashApiToken } from '#lib/token/secret';
import { newAuthenticator } from '../../authenticator.ts';

/** A time in the middle of a day, so that a minute more or less stays on it. */
export const NOON = Date.UTC(2026, 10, 20, 12);

/** A UUID version 7 that sorts by `n`. */
export const uuidOf = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;

/** A new account without memberships, as the account item holds it. No table has it. */
export const accountItem = (overrides: Partial<Account> = {}): Account => ({
  ...UNFILLED,
  id: uuidOf(1),
  username: 'Ada',
  stamp: uuidOf(2),
  isactive: true,
  lockoutenabled: true,
  emailconfirmed: false,
  created_at: withoutZone(NOON),
  lastActivity: withoutZone(NOON),
  never_used: true,
  roles: [],
  apps: ['core'],
  user_app_name: 'core',
  teams: [],
  team_id: '',
  team_name: '',
  token_count: 0,
  user_home: null,
  user_avatar: null,
  ...overrides,
});

/** Values of the fields that people fill in, in their order, no two of them alike. */
export const FILLED_IN: FilledIn = {
  phonenumber: '+43 1 234',
  user_first_name: 'Ada',
  user_last_name: 'Lovelace',
  user_color: '#A1B2C3',
  user_short: 'AdLo',
  user_currency: 'CHF',
};

/** Values of the fields that profile and directory show as they are stored, in their order, no two of them alike. */
export const SHOWN_FIELDS = {
  username: 'Ada.Lovelace',
  emailconfirmed: true,
  ...FILLED_IN,
  team_id: uuidOf(3),
  team_name: 'Team 3',
  user_app_name: 'billing',
  user_home: '/home',
};

/** Membership in a team, as the account item holds it. */
export const membership = (n: number, overrides: Partial<Membership> = {}): Membership => ({
  team_id: uuidOf(n),
  team_short: `short-${n}`,
  team_name: `Team ${n}`,
  team_type: 'internal',
  teamuser_lvl: null,
  ...overrides,
});

/** A token of {@link accountItem} that was never used. */
export const tokenItem = (overrides: Partial<TokenItem> = {}): TokenItem => ({
  username: 'Ada',
  userid: uuidOf(1),
  name: 'ci',
  token_created_at: withoutZone(NOON),
  token_created_by: 'admin',
  ...overrides,
});

/** Stores a token under its name, without a known secret; its account does not count it. */
export async function storedToken(table: Table, overrides: Partial<TokenItem> = {}): Promise<TokenItem> {
  const token = tokenItem(overrides);
  const { username, name } = token;
  const sha256 = hashApiToken(`${username}/${name}`);
  await transact(table, [
    { Put: { Item: { ...tokenKey(sha256), ...tokenIndex(username, name), ...asStored(token) } } },
    { Put: { Item: { ...tokenNameKey(username, name), sha256 } } },
  ]);
  return token;
}

/** ID of the {@link storedSession} of an account: a UUID version 7. */
export function sessionIdOf(username: string): string {
  const [hash] = createHash('sha256').update(foldCase(username)).digest('hex').match(/.{18}/) ?? [''];
  return `019b76da-9c00-7${hash.slice(0, 3)}-8${hash.slice(3, 6)}-${hash.slice(6)}`;
}

type Opened = Partial<SessionRecord> & { readonly id?: string };

/** The record of a session without its token, by default open until 2100, as the table holds it. */
export function sessionItem(
  { username, stamp }: Account,
  { id = sessionIdOf(username), ...part }: Opened = {},
): SessionRecord & Key<SessionRecord> {
  const login = { created_at: '2026-11-20T11:00:00.000Z', address: '192.0.2.1', user_agent: 'test' };
  const ttl = Date.UTC(2100, 0) / 1000;
  return { ...sessionKey(username, id), ...login, credential: null, stamp, ttl, ...part };
}

/** Stores a {@link sessionItem}; returns its ID. */
export async function storedSession(table: Table, account: Account, part: Opened = {}): Promise<string> {
  const { id = sessionIdOf(account.username) } = part;
  const { PK, SK, ...record } = sessionItem(account, part);
  await put(table, { PK, SK }, record);
  return id;
}

/** The attributes of an account with a passkey of an instance at `localhost`, whose enrolment has the ID `key-1`. */
export const ONE_PASSKEY = {
  passkeys: { laptop: 'key-1' },
  enrolments: { 'key-1': { id: 'key-1', rp_id: 'localhost', created_at: isoOf(NOON) } },
};

/** Stores a passkey `phone` of an account that has none, for an instance at `localhost`; returns its device. */
export async function storedPasskey(
  table: Table,
  { id: userid, username }: Account,
  device = newAuthenticator(),
  at = NOON,
  name = 'phone',
) {
  const id = passkeyIdOf(device.id);
  await put(table, passkeyKey(id), {
    passkey_owner: username,
    passkey_name: name,
    credential_id: device.id,
    public_key: device.publicKey,
    counter: 0,
    transports: ['internal'],
    backup_eligible: true,
    backed_up: true,
    rp_id: 'localhost',
    passkey_created_at: isoOf(at),
  });
  const enrolment = { id: `enrolment-${username}`, rp_id: 'localhost', created_at: isoOf(at) };
  const to = { passkeys: { [name]: id }, enrolments: { [id]: enrolment } };
  await update(table, { Key: accountKey(username), ...assign(to, {}) });
  device.remember(userid);
  return device;
}

/** Stores what a request needs an account to hold: a passkey, or that it is a machine. */
export const giveHeld = (
  table: Table,
  account: Account,
  held: 'passkey' | 'kind' | undefined,
  device = newAuthenticator(),
  at = NOON,
): Promise<unknown> =>
  held === 'kind'
    ? update(table, {
        Key: accountKey(account.username),
        ...assign({ kind: 'machine', owner: 'admin' }, {}),
      })
    : storedPasskey(table, account, device, at);

/** An event that sorts by `n`. */
export const eventItem = (n: number, overrides: Partial<OutboxEvent> = {}): OutboxEvent => ({
  id: uuidOf(n),
  detailType: 'user_cancel',
  detail: { n },
  createdAt: NOON,
  ...overrides,
});
