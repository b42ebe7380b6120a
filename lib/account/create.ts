import * as z from 'zod/mini';
import type { Actor } from '../event/account-event.ts';
import { userCreate } from '../event/user-create.ts';
import { invalid } from '../failure.ts';
import type { Account } from '../item/account.ts';
import { filledIn, UNFILLED } from '../item/fields.ts';
import type { Membership } from '../item/team.ts';
import { announce, changeBy } from '../outbox/announcement.ts';
import { commitWithEvent } from '../outbox/commit.ts';
import type { Publish } from '../outbox/publisher.ts';
import { parse } from '../parse.ts';
import { noteCosts } from '../password/cost.ts';
import { hashPassword, type NewPassword, newPassword } from '../password/hash.ts';
import { costIn, importedHash } from '../password/imported.ts';
import type { Runtime } from '../runtime.ts';
import { countIn } from '../stats/counters.ts';
import { accountKey, directoryIndex, foldCase, passwordKey } from '../table/keys.ts';
import { membershipsIn } from '../team/team.ts';
import { withoutZone } from '../time.ts';
import { MAX_APPS, MAX_ROLES, MAX_TEAMS, sameUsername } from './account.ts';
import { colorFor, initialsFor } from './appearance.ts';
import { API_USERNAME, roleOrAppName, unlikeCredential, username } from './identifiers.ts';
import { defaultTeam } from './memberships.ts';
import { propertiesSchema, putProperties, withRoot } from './properties.ts';

/** Input for a new account, with the names of the profile. */
const newAccount = () =>
  z.extend(z.partial(filledIn()), {
    username: username().check(unlikeCredential()),
    password: z.optional(z.string()),
    /** Of another service, instead of a password. */
    password_hash: z.optional(z.string()),
    user_properties: z.optional(propertiesSchema()),
    emailconfirmed: z._default(z.boolean(), false),
    lockoutenabled: z._default(z.boolean(), true),
    /** The first is the default application. */
    apps: z._default(z.array(roleOrAppName()).check(z.minLength(1), z.maxLength(MAX_APPS)), ['core']),
    roles: z._default(z.array(roleOrAppName()).check(z.maxLength(MAX_ROLES)), []),
    /** Short names of teams; the first is the default team. */
    teams: z._default(z.array(z.string()).check(z.maxLength(MAX_TEAMS)), []),
  });

export type NewAccount = z.input<ReturnType<typeof newAccount>>;

/** Input that has passed all checks except those of the table. */
export type Draft = Omit<z.output<ReturnType<typeof newAccount>>, 'password'> & {
  readonly password: NewPassword | undefined;
};

const schema = newAccount();
export const NEW_ACCOUNT_FIELDS = Object.keys(schema.shape);

/** @throws Failure `invalid_request` that names every field at fault */
export function draftOf(input: unknown): Draft {
  const { password, password_hash, ...draft } = parse(schema, input);
  if (sameUsername(draft.username, API_USERNAME)) throw invalid('username', 'This name is reserved');
  if (password !== undefined && password_hash !== undefined)
    throw invalid('password_hash', 'Must not be given with a password');
  return {
    ...draft,
    password: password === undefined ? undefined : newPassword(password, draft.username),
    password_hash: password_hash === undefined ? undefined : importedHash(password_hash),
  };
}

const unique = <T>(items: readonly T[]): T[] => [...new Set(items)];

/** Short names of the teams of a draft, each once. */
export const teamsOf = ({ teams }: Draft) => unique(teams.map(foldCase));

/**
 * Creates an account.
 *
 * @param announcing the actor and the publisher of the event; without it there is no event
 * @throws Failure `invalid_request`, `account_exists`, `team_not_found`
 */
export async function createAccount(
  runtime: Runtime,
  input: NewAccount,
  announcing?: { readonly publish: Publish; readonly actor: Actor },
): Promise<Account> {
  const { table, now, settings } = runtime;
  const draft = draftOf(input);
  const { password, password_hash, username } = draft;
  const hash = password === undefined ? password_hash : await hashPassword(password, settings.BcryptCost);
  const memberships = await membershipsIn(table, teamsOf(draft));
  if (hash !== undefined) await noteCosts(table, [costIn(hash)]);
  const change = announcing && changeBy(runtime, announcing.actor);
  const time = change?.at ?? now();
  const account = accountOf(runtime, draft, memberships, time);
  const { condition, others } = writesOf(account, draft, hash);
  const writes = [
    { ...condition, otherwise: 'account_exists' as const },
    ...others,
    countIn('COUNT', username, 1),
  ];
  const announcement =
    change && announce({ ...runtime, publish: announcing.publish }, userCreate, change, undefined);
  await commitWithEvent(table, writes, announcement, account);
  return account;
}

/** The account that a draft becomes. */
export function accountOf(
  { uuid }: Runtime,
  { password: _, password_hash: __, user_properties: ___, teams: ____, apps, roles, ...given }: Draft,
  memberships: readonly Membership[],
  time: number,
): Account {
  // Commands pass undefined for options without a value.
  const filled = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as typeof given;
  return {
    ...UNFILLED,
    user_color: colorFor(given.username),
    user_short: initialsFor(given),
    ...filled,
    id: uuid(),
    stamp: uuid(),
    isactive: true,
    created_at: withoutZone(time),
    lastActivity: withoutZone(time),
    never_used: true,
    roles: unique(roles),
    apps: unique(apps),
    user_app_name: apps[0] as string,
    teams: memberships,
    ...defaultTeam(memberships[0]),
    token_count: 0,
    names_apart: true,
    user_home: null,
    user_avatar: null,
  };
}

/** The writes of a new account except its event and its count, with the condition that there is no such account. */
export function writesOf(account: Account, { user_properties }: Draft, hash: string | undefined) {
  const { username } = account;
  const condition = {
    Put: {
      Item: { ...accountKey(username), ...directoryIndex(username), ...account },
      ConditionExpression: 'attribute_not_exists(PK)',
    },
  };
  const others = [
    ...(hash === undefined ? [] : [{ Put: { Item: { ...passwordKey(username), hash } } }]),
    ...(user_properties ? [putProperties(username, withRoot(user_properties))] : []),
  ];
  return { condition, others };
}
