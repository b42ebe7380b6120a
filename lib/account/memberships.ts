import * as z from 'zod/mini';
import { Failure, invalid } from '../failure.ts';
import type { Account } from '../item/account.ts';
import type { Membership } from '../item/team.ts';
import { parse } from '../parse.ts';
import { assign } from '../table/expressions.ts';
import { accountKey, foldCase } from '../table/keys.ts';
import { optimistically } from '../table/optimistic.ts';
import type { Table } from '../table/table.ts';
import { transact } from '../table/write.ts';
import { asRead, MAX_APPS, MAX_ROLES, MAX_TEAMS } from './account.ts';
import { roleOrAppName } from './identifiers.ts';
import { membershipsIn } from './team.ts';

/** Roles, applications and short names of teams, as in the input of an operator. */
const named = () =>
  z.strictObject({
    roles: z.array(roleOrAppName()),
    apps: z.array(roleOrAppName()),
    teams: z.array(z.string()),
  });

export type NamedMemberships = z.output<ReturnType<typeof named>>;

/** Memberships of an account; by default, its first team and its first application are the defaults. */
type Memberships = Pick<Account, 'roles' | 'apps' | 'user_app_name' | 'teams' | 'team_id' | 'team_name'>;

/** Memberships to add; `team_id` names the team that becomes the default of an account without one. */
type Added = Partial<Pick<Memberships, 'roles' | 'apps' | 'teams' | 'team_id' | 'team_name'>>;

/** The fields of a default team; both are empty without one. */
export const defaultTeam = (team: Membership | undefined) => ({
  team_id: team?.team_id ?? '',
  team_name: team?.team_name ?? '',
});

/**
 * Joins the memberships of an account with added ones.
 *
 * @throws Failure `team_limit`, `role_limit`, `app_limit`
 */
function union(has: Memberships, added: Added): Memberships {
  const { team_id, team_name, user_app_name } = has.team_id === '' ? { ...has, ...added } : has;
  const all = {
    roles: [...new Set([...has.roles, ...(added.roles ?? [])])],
    apps: [...new Set([...has.apps, ...(added.apps ?? [])])],
    teams: [...has.teams, ...without(added.teams ?? [], has.teams)],
  };
  if (all.teams.length > MAX_TEAMS) throw new Failure('team_limit');
  if (all.roles.length > MAX_ROLES) throw new Failure('role_limit');
  if (all.apps.length > MAX_APPS) throw new Failure('app_limit');
  return { ...all, team_id, team_name, user_app_name };
}

const without = (teams: readonly Membership[], others: readonly Membership[]) =>
  teams.filter((team) => !others.some(({ team_id }) => team_id === team.team_id));

/**
 * Gives an account roles, applications and teams.
 *
 * @throws Failure `team_not_found`, `team_limit`, `role_limit`, `app_limit`
 */
export async function addMemberships(table: Table, account: Account, input: NamedMemberships) {
  const { roles, apps, teams: shorts } = parse(named(), input);
  const teams = await membershipsIn(table, [...new Set(shorts.map(foldCase))]);
  return change(table, account, (has) => union(has, { roles, apps, teams, ...defaultTeam(teams[0]) }));
}

/**
 * Removes roles, applications and teams from an account. If a default is removed, the first one left replaces it.
 *
 * @throws Failure `team_not_found`, `invalid_request` for the last application
 */
export async function removeMemberships(table: Table, account: Account, input: NamedMemberships) {
  const removed = parse(named(), input);
  const left = await membershipsIn(table, removed.teams);
  return change(table, account, (has) => {
    const apps = has.apps.filter((app) => !removed.apps.includes(app));
    const teams = without(has.teams, left);
    if (apps[0] === undefined) throw invalid('apps', 'An account keeps at least one application');
    return {
      roles: has.roles.filter((role) => !removed.roles.includes(role)),
      apps,
      user_app_name: apps.includes(has.user_app_name) ? has.user_app_name : apps[0],
      teams,
      ...defaultTeam(teams.find(({ team_id }) => team_id === has.team_id) ?? teams[0]),
    };
  });
}

/**
 * Adds to the target all roles and teams of the source, or none. The target keeps its own. A target without a team gets
 * the default team of the source.
 *
 * @throws Failure `account_cancelled` for the target, `team_limit`, `role_limit`
 */
export async function copyMemberships(table: Table, source: Account, target: Account) {
  const { roles, teams, team_id, team_name } = source;
  let before = target;
  await change(table, target, (has) => {
    if (!has.isactive) throw new Failure('account_cancelled');
    before = has;
    return union(has, { roles, teams, team_id, team_name });
  });
  return {
    source: source.username,
    target: target.username,
    roles_added: roles.filter((role) => !before.roles.includes(role)),
    teams_added: without(teams, before.teams).map((team) => team.team_id),
  };
}

/** Writes new memberships, and computes them again when another request has changed the old ones. */
const change = (table: Table, account: Account, to: (account: Account) => Memberships): Promise<Account> =>
  optimistically<Account, Account>(account, async (current) => {
    const { roles, apps, user_app_name, teams, team_id, team_name, transitions } = current;
    const after = to(current);
    const isChange = (['roles', 'apps', 'teams'] as const).some(
      (kind) => after[kind].length !== current[kind].length,
    );
    const memberships = { ...after, ...(isChange ? { transitions: (transitions ?? 0) + 1 } : {}) };
    const expected = { ...asRead(current), roles, apps, user_app_name, teams, team_id, team_name };
    const write = { Update: { Key: accountKey(current.username), ...assign(memberships, expected) } };
    return (await transact(table, [write])) ?? { ...current, ...memberships };
  });
