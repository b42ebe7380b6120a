import { createAccount } from '#lib/account/create';
import { MAX_ENDED } from '#lib/account/ended';
import { MAX_APPS, MAX_REASON, MAX_ROLES, MAX_TEAMS } from '#lib/account/maxima';
import { MAX_PROPERTIES_BYTES } from '#lib/account/properties';
import { MAX_TOKENS } from '#lib/account/tokens/count';
import { MAX_ATTEMPTS } from '#lib/export/entries';
import type { Account } from '#lib/item/account';
import { MAX_AGENT } from '#lib/login/session-record';
import { MAX_PASSKEYS } from '#lib/passkey/maxima';
import { putAll } from '#lib/table/bulk';
import { assign } from '#lib/table/expressions';
import { accountKey, auditIndex, auditKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { update } from '#lib/table/write';
import { createTeam } from '#lib/team/team';
import { DAY_MS, isoOf } from '#lib/time';
import { createToken } from '#lib/token/create';
import { MAX_ADDRESSES, MAX_ROLES_LENGTH } from '#lib/token/maxima';
import { createTrust } from '#lib/trust/create';
import { issuersIn } from '#lib/trust/issuers';
import { MAX_CLAIMS, MAX_MINUTES, MAX_TEXT, MAX_TRUSTS } from '#lib/trust/maxima';
import { newAuthenticator } from '../authenticator.ts';
import { EVERY_ROLE } from '../integration/every-role.ts';
import { ISSUERS } from '../integration/issuers.ts';
import { ADDRESS, type Service } from '../thief/service.ts';
import { sessionItem, storedPasskey } from '../unit/support/items.ts';

/** A character of three bytes, the most for a unit of a string. */
const WIDE = '\u8a9e';
const WIDE_BYTES = 3;

/** Names that the samples of requests have. */
const [ROLE, TOKEN, PASSKEY, APP, TRUST] = ['editor', 'first', 'phone', 'core', 'deploy'];

const many = <T>(count: number, of: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => of(n));

const roleOf = (n: number) => `role-${n}-`.padEnd(64, 'r');
const shortOf = (n: number) => `team-${n}-`.padEnd(32, 't');
/** Samples derive further names from it. */
const usernameOf = (name: string) => `${name}-`.padEnd(60, 'n');

/** Roles of a token, as many as it may have. */
function rolesOfToken(): string[] {
  const roles: string[] = [];
  for (let n = 0; JSON.stringify([...roles, roleOf(n)]).length <= MAX_ROLES_LENGTH; n++)
    roles.push(roleOf(n));
  return roles.slice(0, MAX_ROLES - ADMINISTRATOR.length);
}

/** Addresses of a token or trust. */
const addresses = () => [
  ADDRESS,
  ...many(MAX_ADDRESSES - 1, (n) => `2001:db8:ffff:ffff:ffff:ffff:ffff:${n + 10}/128`),
];

const ADMINISTRATOR = [...EVERY_ROLE, ROLE];

/** Input for a new account with every field, list and property as large as it may be. */
export const fullestInput = (name: string) => ({
  username: usernameOf(name),
  phonenumber: WIDE.repeat(64),
  user_first_name: WIDE.repeat(128),
  user_last_name: WIDE.repeat(128),
  user_short: WIDE.repeat(8),
  apps: [...many(MAX_APPS - 1, (n) => `app-${n}-`.padEnd(64, 'a')), APP],
  roles: [...ADMINISTRATOR, ...many(MAX_ROLES - ADMINISTRATOR.length, roleOf)],
  teams: many(MAX_TEAMS, shortOf),
  user_properties: { a: 'x'.repeat(MAX_PROPERTIES_BYTES - '{"a":""}'.length) },
});

/** Creates the teams of all accounts of the run. */
export const createTeams = async ({ runtime }: Service) => {
  for (let n = 0; n < MAX_TEAMS; n++)
    await createTeam(runtime, { short: shortOf(n), name: WIDE.repeat(128), type: 't'.repeat(32) });
};

/**
 * Creates an account that is full: teams, roles, applications, properties, passkeys, tokens with every limit, sessions, ended
 * ones, and refusals in its audit log.
 *
 * @returns the account, and the value of one of its tokens
 */
export async function fullestAccount({ runtime, table }: Service, name: string, password: string) {
  const now = runtime.now();
  const by = { by: usernameOf('creator'), requestId: 'r' };
  const account = await createAccount(runtime, { ...fullestInput(name), password });
  const { username } = account;
  const terms = {
    roles: rolesOfToken(),
    addresses: addresses(),
    expires_in_days: 90,
    description: WIDE.repeat(200),
  };
  let token = '';
  for (let n = 0; n < MAX_TOKENS; n++)
    token = (await createToken(runtime, account, n === 0 ? TOKEN : `token-${n}-`.padEnd(64, 'k'), by, terms))
      .value as string;
  for (let n = 0; n < MAX_PASSKEYS; n++) {
    const before = (await get(table, accountKey(username))) as Account;
    await storedPasskey(
      table,
      account,
      newAuthenticator(),
      now,
      n === 0 ? PASSKEY : `passkey-${n}-`.padEnd(64, 'p'),
    );
    const after = (await get(table, accountKey(username))) as Account;
    const to = {
      passkeys: { ...before.passkeys, ...after.passkeys },
      enrolments: { ...before.enrolments, ...after.enrolments },
    };
    await update(table, { Key: accountKey(username), ...assign(to, {}) });
  }
  const until = Math.ceil((now + DAY_MS) / 1000);
  const ended = Object.fromEntries(many(MAX_ENDED, () => [runtime.uuid(), { at: now, until }]));
  await update(table, { Key: accountKey(username), ...assign({ ended, ended_until: until }, {}) });
  const sessions = many(MAX_ENDED, () =>
    sessionItem(account, { id: runtime.uuid(), user_agent: WIDE.repeat(MAX_AGENT) }),
  );
  const refusals = many(MAX_ATTEMPTS, (n) => {
    const key = auditKey(isoOf(now - n), `of-${n}-${username}`);
    return {
      ...key,
      ...auditIndex(username, key, 'REFUSALS'),
      ...{ time: isoOf(now - n), actor: usernameOf('eve'), action: 'account.login', target: username },
      ...{ outcome: 'forbidden', changed: false, credential: null, details: null, source: '192.0.2.1' },
      ...{ requestId: 'r'.repeat(36), ttl: until },
    };
  });
  await putAll(table, [...sessions, ...refusals]);
  return { account: (await get(table, accountKey(username))) as Account, token };
}

/** Bytes that a request for a trust leaves to its claims. */
const CLAIMS_BYTES = 48 * 1024;

/** Input for a trust with every limit and claim as large as it may be. */
export function fullestTrust() {
  const text = WIDE.repeat(Math.min(MAX_TEXT, Math.floor(CLAIMS_BYTES / MAX_CLAIMS / WIDE_BYTES)));
  const others = many(MAX_CLAIMS - 1, (n) => [`claim-${n}`, text] as const);
  return {
    issuer: 'github',
    subject: 'repo:acme/shop:ref:'.padEnd(MAX_TEXT, 'r'),
    claims: { repository_id: '123456789', ...Object.fromEntries(others) },
    roles: rolesOfToken(),
    addresses: addresses(),
    max_minutes: MAX_MINUTES,
  };
}

/** Creates a machine that is full: as {@link fullestInput}, and with trusts in place of what only people have. */
export async function fullestMachine({ runtime }: Service, name: string, owner: string) {
  const by = { by: usernameOf('creator'), requestId: 'r' };
  const roles = many(MAX_ROLES, roleOf);
  const machine = await createAccount(runtime, { ...fullestInput(name), roles, kind: 'machine', owner });
  for (let n = 0; n < MAX_TRUSTS; n++)
    await createTrust(runtime, machine, n === 0 ? TRUST : `trust-${n}-`.padEnd(64, 't'), by, {
      ...fullestTrust(),
      issuers: issuersIn(ISSUERS),
    });
  return machine;
}

export const REASON = WIDE.repeat(MAX_REASON);
