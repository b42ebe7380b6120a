import * as z from 'zod/mini';
import { PATIENT } from '../async/retry.ts';
import { Answer } from '../contract/answer.ts';
import { Failure, invalid } from '../failure/failure.ts';
import { parse } from '../input/parse.ts';
import { type Account, isMachine } from '../item/account.ts';
import { defaultTeam, type Membership, teamShort } from '../item/team.ts';
import type { Runtime } from '../runtime.ts';
import { endingCodes } from '../table/ending-codes.ts';
import { assign } from '../table/expressions.ts';
import { accountKey } from '../table/keys.ts';
import { transact } from '../table/write.ts';
import { membershipsIn, presentMemberships } from '../team/team.ts';
import { foldCase } from '../text/fold-case.ts';
import type { SchemaTexts } from '../texts.ts';
import { asRead } from './account.ts';
import { changeAccount } from './change-account.ts';
import { roleOrAppName } from './identifiers.ts';
import { checkRoles, readOwner } from './machine.ts';
import { MAX_APPS, MAX_ROLES, MAX_TEAMS } from './maxima.ts';
import { type Forcing, givenRole } from './roles.ts';

/** Kinds of memberships, with the limit of an account and the failure of an account that would exceed it. */
const KINDS = [
  ['roles', MAX_ROLES, 'role_limit'],
  ['teams', MAX_TEAMS, 'team_limit'],
  ['apps', MAX_APPS, 'app_limit'],
] as const;

type Kind = (typeof KINDS)[number][0];

/** Roles, applications and short names of teams. */
export const namedMemberships = (role: typeof roleOrAppName = roleOrAppName) =>
  z.strictObject({
    roles: z.optional(z.array(role()).check(z.maxLength(MAX_ROLES))),
    teams: z.optional(z.array(teamShort()).check(z.maxLength(MAX_TEAMS))),
    apps: z.optional(z.array(roleOrAppName()).check(z.maxLength(MAX_APPS))),
  });

export const accessNamesTexts = {
  name: 'AccessNames',
  schema: namedMemberships,
  fields: {
    roles: 'Names of roles',
    teams: 'Short names of teams, in any case',
    apps: 'Names of applications',
  },
} as const satisfies SchemaTexts;

/**
 * Memberships to add to an account and to remove from it, no membership in both.
 *
 * @param role rule of an added role
 */
export const membershipChange = (role: typeof roleOrAppName = givenRole) =>
  membershipFields(role).check(anyMembership).register(z.globalRegistry, { minProperties: 1 });

/** The same, which need not name any. */
export const membershipFields = (role: typeof roleOrAppName = givenRole) =>
  z
    .strictObject({ add: z.optional(namedMemberships(role)), remove: z.optional(namedMemberships()) })
    .check(({ value, issues }) => {
      const { add = {}, remove = {} } = value;
      const fault = (message: string, ...path: (string | number)[]) =>
        issues.push({ code: 'custom', message, path, input: value });
      for (const [kind] of KINDS) {
        const fold = kind === 'teams' ? foldCase : String;
        const added = new Set(add[kind]?.map(fold));
        for (const [index, name] of remove[kind]?.entries() ?? [])
          if (added.has(fold(name))) fault('Must not be added and removed', 'remove', kind, index);
      }
    });

const anyMembership = z.refine<{ add?: Named | undefined; remove?: Named | undefined }>(
  ({ add = {}, remove = {} }) => namesAny(add) || namesAny(remove),
  'Must name a role, a team or an application',
);

type Named = Readonly<Partial<Record<Kind, readonly unknown[] | undefined>>>;

export const namesAny = (part: Named) => KINDS.some(([kind]) => part[kind]?.length);

export type MembershipChange = z.input<ReturnType<typeof membershipChange>>;

/** Memberships of an account; by default, its first team and its first application are the defaults. */
type Memberships = Pick<Account, 'roles' | 'apps' | 'user_app_name' | 'teams' | 'team_id' | 'team_name'>;

/** Memberships to add or remove; an added `team_id` names the team that becomes the default of an account without one. */
type Part = Partial<Pick<Memberships, 'roles' | 'apps' | 'teams' | 'team_id'>>;

const idOf = (one: string | Membership) => (typeof one === 'string' ? one : one.team_id);

/** Those that are not among others, each once. */
function without<T extends string | Membership>(all: readonly T[] = [], others: readonly T[] = []): T[] {
  const seen = new Set(others.map(idOf));
  return all.filter((one) => !seen.has(idOf(one)) && seen.add(idOf(one)));
}

/**
 * The memberships of an account after a change. If a default is removed, the first one left replaces it.
 *
 * @throws Failure `team_limit`, `role_limit`, `app_limit`, `invalid_request` for the last application
 */
function changed(has: Memberships, add: Part, remove: Part): Memberships {
  const join = <T extends string | Membership>(
    had: readonly T[],
    added?: readonly T[],
    removed?: readonly T[],
  ) => {
    const kept = without(had, removed);
    return [...kept, ...without(added, kept)];
  };
  const all = {
    roles: join(has.roles, add.roles, remove.roles),
    teams: join(has.teams, add.teams, remove.teams),
    apps: join(has.apps, add.apps, remove.apps),
  };
  for (const [kind, max, code] of KINDS)
    if (all[kind].length > Math.max(max, has[kind].length)) throw new Failure(code);
  const [app] = all.apps;
  if (app === undefined) throw invalid('remove.apps', 'An account keeps at least one application');
  const team = (id: string | undefined) => all.teams.find(({ team_id }) => team_id === id);
  return {
    ...all,
    user_app_name: all.apps.includes(has.user_app_name) ? has.user_app_name : app,
    ...defaultTeam(team(has.team_id) ?? team(add.team_id) ?? all.teams[0]),
  };
}

type Held = Pick<Account, Kind>;

const differences = (before: Held, after: Held) => ({
  roles_added: without(after.roles, before.roles),
  roles_removed: without(before.roles, after.roles),
  teams_added: without(after.teams, before.teams),
  teams_removed: without(before.teams, after.teams),
  apps_added: without(after.apps, before.apps),
  apps_removed: without(before.apps, after.apps),
});

/** Gained and lost memberships as audit details: teams by their short names, and no empty list. */
export const membershipDetails = (after: Held, before: Held = { roles: [], teams: [], apps: [] }) =>
  Object.fromEntries(
    Object.entries(differences(before, after)).flatMap(([name, all]) =>
      all.length > 0 ? [[name, all.map((one) => (typeof one === 'string' ? one : one.team_short))]] : [],
    ),
  );

interface Changed {
  readonly before: Account;
  readonly after: Account;
}

type Changing = Pick<Runtime, 'table' | 'random'>;

/**
 * Adds and removes roles, applications and teams in one write, all or none. The loss of `sys_administrator` ends the
 * one-time codes that the account has made.
 *
 * @param options with `force`, unknown roles that begin with `sys_` are added, too; `owner` names who is to answer for a
 *   machine
 * @throws Failure `invalid_request`, `team_not_found`, `team_limit`, `role_limit`, `app_limit`, `account_cancelled` for
 *   additions, `machine_account`
 */
export async function changeMemberships(
  runtime: Changing,
  account: Account,
  input: MembershipChange,
  { force, owner }: Forcing & { readonly owner?: string | undefined } = {},
) {
  const rules = (owner === undefined ? membershipChange : membershipFields)(
    force ? roleOrAppName : givenRole,
  );
  const { add = {}, remove = {} } = parse(rules, input);
  const [owned, ...parts] = await Promise.all([
    owner === undefined ? undefined : readOwner(runtime.table, owner, account.username),
    ...[add, remove].map(async (part) => ({
      ...part,
      teams: await membershipsIn(runtime.table, part.teams ?? [], part === remove),
    })),
  ]);
  const [added, removed] = parts;
  return change(runtime, account, namesAny(add) ? added : undefined, removed, owned);
}

/**
 * Adds to the target all roles and teams of the source, or none. The target keeps its own. A target without a team gets
 * the default team of the source.
 *
 * @throws Failure `account_cancelled` for the target, `team_limit`, `role_limit`
 */
export async function copyMemberships(runtime: Changing, source: Account, target: Account) {
  const { roles, team_id } = source;
  const present = await presentMemberships(runtime.table, source.teams);
  const teams = present.filter((one) => one !== undefined);
  const changed = await change(runtime, target, { roles, teams, team_id });
  return answerOf(changed, ({ roles_added, teams_added }) => ({
    source: source.username,
    target: target.username,
    roles_added,
    teams_added,
  }));
}

/** The answer to a change, with teams by their IDs, and its audit details. */
export function answerOf<Data>(
  { before, after }: Changed,
  view: (all: Record<keyof ReturnType<typeof differences>, string[]>) => Data,
) {
  const { teams_added, teams_removed, ...others } = differences(before, after);
  const ids = { teams_added: teams_added.map(idOf), teams_removed: teams_removed.map(idOf) };
  const details = {
    ...membershipDetails(after, before),
    ...(after.owner !== before.owner && { machine_owner: after.owner as string }),
  };
  return new Answer(view({ ...others, ...ids }), { details, changed: Object.keys(details).length > 0 });
}

/**
 * Writes new memberships, and computes them again when another request has changed the old ones or a default. It retries
 * long enough that an account cannot keep its role by changing its defaults all the time.
 */
const change = (
  runtime: Changing,
  account: Account,
  add: Part | undefined,
  remove: Part = {},
  owned?: Awaited<ReturnType<typeof readOwner>>,
): Promise<Changed> =>
  changeAccount<Changed>(
    account,
    async (before) => {
      if (add && !before.isactive) throw new Failure('account_cancelled');
      const { roles, apps, user_app_name, teams, team_id, team_name, transitions } = before;
      const after = changed(before, add ?? {}, remove);
      if (isMachine(before)) checkRoles(after.roles, 'add.roles');
      else if (owned) throw invalid('owner', 'Must be absent: only a machine has an owner');
      const owner = owned?.person.username;
      const isChange =
        (owner !== undefined && owner !== before.owner) ||
        Object.values(differences(before, after)).some(({ length }) => length > 0);
      const memberships = {
        ...after,
        ...(owner !== undefined && { owner }),
        ...(isChange ? { transitions: (transitions ?? 0) + 1 } : {}),
      };
      // Functions of an earlier version change memberships without a transition, while they are replaced.
      const expected = { ...asRead(before), roles, apps, user_app_name, teams, team_id, team_name };
      const update = assign(memberships, expected);
      const isDemoted = without(before.roles, after.roles).includes('sys_administrator');
      const write = {
        Update: { Key: accountKey(before.username), ...(isDemoted ? endingCodes(update, runtime) : update) },
      };
      return (
        (await transact(runtime.table, [write, ...(owned ? [owned.check] : [])], PATIENT)) ?? {
          before,
          after: { ...before, ...memberships },
        }
      );
    },
    PATIENT.attempts,
  );
