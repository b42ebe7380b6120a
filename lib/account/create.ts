import * as z from 'zod/mini';
import { user_create } from '../event/user-events.ts';
import { invalid } from '../failure/failure.ts';
import { notForMachines } from '../failure/machine.ts';
import { parse } from '../input/parse.ts';
import type { Account } from '../item/account.ts';
import { UNFILLED } from '../item/fields.ts';
import { defaultTeam, type Membership } from '../item/team.ts';
import { type Announcer, announce, occurrenceBy } from '../outbox/announcement.ts';
import { commitWithEvents } from '../outbox/commit.ts';
import { noteCosts } from '../password/cost.ts';
import { hashPassword, type NewPassword, newPassword } from '../password/hash.ts';
import { costIn, importedHash } from '../password/imported.ts';
import type { HashName } from '../pseudonym/name-hash.ts';
import { givingAgain, notErased, notErasedId } from '../pseudonym/new-name.ts';
import type { Runtime } from '../runtime.ts';
import { countIn } from '../stats/counters.ts';
import { accountKey, directoryIndex, passwordKey } from '../table/keys.ts';
import { creating, storing, type TransactWrite } from '../table/write.ts';
import { membershipsIn } from '../team/team.ts';
import { foldCase } from '../text/fold-case.ts';
import { withoutZone } from '../time.ts';
import { colorFor, initialsFor } from './appearance.ts';
import { roleOrAppName, unique } from './identifiers.ts';
import { checkRoles, readOwner } from './machine.ts';
import { newAccount } from './new-account.ts';
import { putProperties, withRoot } from './properties.ts';
import type { Forcing } from './roles.ts';

const withPassword = (role?: typeof roleOrAppName) =>
  z.extend(newAccount(role), {
    password: z.optional(z.string()),
    /** A hash of another service, instead of a password. */
    password_hash: z.optional(z.string()),
  });

export type NewAccount = z.input<ReturnType<typeof withPassword>>;

/** Input that has passed all checks except those of the table. */
export type Draft = Omit<z.output<ReturnType<typeof withPassword>>, 'password'> & {
  readonly password: NewPassword | undefined;
};

const schema = withPassword();

/**
 * @param options with `force`, unknown roles that begin with `sys_` are accepted
 * @throws Failure `invalid_request` that names every field at fault
 */
export function draftOf(input: unknown, { force }: Forcing = {}): Draft {
  const rules = force ? withPassword(roleOrAppName) : schema;
  const { password, password_hash, ...draft } = parse(rules, input);
  checkKind(draft, password ?? password_hash);
  if (password !== undefined && password_hash !== undefined)
    throw invalid('password_hash', 'Must not be given with a password');
  return {
    ...draft,
    password: password === undefined ? undefined : newPassword(password, draft.username),
    password_hash: password_hash === undefined ? undefined : importedHash(password_hash),
  };
}

/**
 * Checks what the kind of a new account demands.
 *
 * @throws Failure `invalid_request` for a machine without an owner, and a person with one; `machine_account`
 */
function checkKind(
  { kind, owner, roles }: Pick<Draft, 'kind' | 'owner' | 'roles'>,
  password: string | undefined,
): void {
  if (kind !== 'machine') {
    if (owner !== undefined) throw invalid('owner', 'Must be absent: only a machine has an owner');
    return;
  }
  if (owner === undefined) throw invalid('owner', 'Is required for a machine: the person who answers for it');
  checkRoles(roles);
  if (password !== undefined) throw notForMachines('password', 'A machine has no password');
}

/** Short names of the teams of a draft, each once. */
export const teamsOf = ({ teams }: Draft) => unique(teams.map(foldCase));

/**
 * Creates an account.
 *
 * @param announcer without it there is no event
 * @param options `more`: other writes of the transaction, and more of the account, for the account as it will be; of several
 *   failed conditions, theirs decide. `force` also gives it the name of an erased account
 * @throws Failure `invalid_request`, `account_exists`, `account_erased`, `team_not_found`
 */
export async function createAccount(
  runtime: Runtime & { readonly hashName: HashName },
  input: NewAccount,
  announcer?: Announcer,
  { more = () => ({ writes: [] }), force }: Forcing & { more?: (account: Account) => More } = {},
): Promise<Account> {
  const { table, now, settings } = runtime;
  const draft = draftOf(input, { force });
  const { password, password_hash, username } = draft;
  const hash = password === undefined ? password_hash : await hashPassword(password, settings.BcryptCost);
  const [memberships, owner] = await Promise.all([
    membershipsIn(table, teamsOf(draft)),
    draft.owner === undefined ? undefined : readOwner(table, draft.owner, username),
  ]);
  if (hash !== undefined) await noteCosts(table, [costIn(hash)]);
  const occurrence = announcer && occurrenceBy(runtime, announcer.actor);
  const time = occurrence?.at ?? now();
  const made = accountOf(runtime, { ...draft, owner: owner?.person.username }, memberships, time);
  const { writes: first, ...rest } = more(made);
  const account = { ...made, ...rest };
  const { condition, others } = writesOf(account, draft, hash);
  const writes = [
    ...first,
    { ...condition, otherwise: 'account_exists' as const },
    ...others,
    ...(owner ? [owner.check] : []),
    countIn('COUNT', username, 1),
    ...(await nameWrites(runtime, username, time, force)),
  ];
  const events = occurrence ? announce(runtime, user_create, occurrence, undefined).events(account) : [];
  await commitWithEvents({ table, publish: announcer?.publish }, writes, events);
  return account;
}

/** What a caller adds to the creation of an account. */
interface More extends Pick<Account, 'open_code'> {
  readonly writes: readonly TransactWrite[];
}

/** The writes about an erased account with the same name, or with this name as its ID. */
export async function nameWrites(
  { table, hashName }: Pick<Runtime, 'table'> & { readonly hashName: HashName },
  username: string,
  now: number,
  force?: boolean,
): Promise<TransactWrite[]> {
  const hash = await hashName(username, true);
  const ofName = force ? await givingAgain(table, hash, now) : [notErased(hash)];
  return [...ofName, ...notErasedId(username)];
}

/** The item of a new account, with a new ID and stamp. @param time in milliseconds since the epoch */
export function accountOf(
  { uuid }: Runtime,
  { password, password_hash, user_properties: _, teams: __, apps, roles, kind, ...given }: Draft,
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
    ...(kind === 'machine' && { kind }),
    id: uuid(),
    stamp: uuid(),
    isactive: true,
    created_at: withoutZone(time),
    lastActivity: withoutZone(time),
    never_used: true,
    password_set: (password ?? password_hash) !== undefined,
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
  const condition = creating(accountKey(username), { ...directoryIndex(username), ...account });
  const others = [
    ...(hash === undefined ? [] : [storing(passwordKey(username), { hash })]),
    ...(user_properties ? [putProperties(username, withRoot(user_properties))] : []),
  ];
  return { condition, others };
}
