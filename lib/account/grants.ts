import * as z from 'zod/mini';
import { Failure, invalid } from '../failure.ts';
import { parse } from '../parse.ts';
import { assign } from '../table/expressions.ts';
import { accountKey, foldCase } from '../table/keys.ts';
import { optimistically } from '../table/optimistic.ts';
import type { Table } from '../table/table.ts';
import { update } from '../table/write.ts';
import { membershipsIn } from '../team/team.ts';
import { type Account, MAX_APPS, MAX_ROLES, MAX_TEAMS } from './account.ts';
import { roleOrAppName } from './names.ts';

/** Roles, applications, and teams by their short names. */
const grants = () =>
  z.strictObject({
    roles: z.array(roleOrAppName()),
    apps: z.array(roleOrAppName()),
    teams: z.array(z.string()),
  });

export type Grants = z.output<ReturnType<typeof grants>>;

type Granted = Pick<Account, 'roles' | 'apps' | 'user_app_name' | 'teams' | 'team_id' | 'team_name'>;

/**
 * Gives an account roles, applications and teams.
 *
 * @throws Failure `team_not_found`, `team_limit`, `role_limit`, `app_limit`
 */
export async function addGrants(table: Table, account: Account, input: Grants): Promise<Account> {
  const added = parse(grants(), input);
  const memberships = await membershipsIn(table, [...new Set(added.teams.map(foldCase))]);
  return change(table, account, ({ roles, apps, teams, user_app_name, ...current }) => {
    const all = [
      ...teams,
      ...memberships.filter((one) => !teams.some(({ team_id }) => team_id === one.team_id)),
    ];
    const allRoles = [...new Set([...roles, ...added.roles])];
    const allApps = [...new Set([...apps, ...added.apps])];
    if (all.length > MAX_TEAMS) throw new Failure('team_limit');
    if (allRoles.length > MAX_ROLES) throw new Failure('role_limit');
    if (allApps.length > MAX_APPS) throw new Failure('app_limit');
    const first = current.team_id === '' ? all[0] : undefined;
    return {
      roles: allRoles,
      apps: allApps,
      user_app_name,
      teams: all,
      team_id: first?.team_id ?? current.team_id,
      team_name: first?.team_name ?? current.team_name,
    };
  });
}

/**
 * Takes roles, applications and teams from an account. A default that is taken gives way to the first left.
 *
 * @throws Failure `team_not_found`, `invalid_request` for the last application
 */
export async function removeGrants(table: Table, account: Account, input: Grants): Promise<Account> {
  const removed = parse(grants(), input);
  const memberships = await membershipsIn(table, removed.teams);
  return change(table, account, (current) => {
    const apps = current.apps.filter((app) => !removed.apps.includes(app));
    const teams = current.teams.filter((has) => !memberships.some(({ team_id }) => team_id === has.team_id));
    const team = teams.find(({ team_id }) => team_id === current.team_id) ?? teams[0];
    if (apps[0] === undefined) throw invalid('apps', 'An account keeps at least one application');
    return {
      roles: current.roles.filter((role) => !removed.roles.includes(role)),
      apps,
      user_app_name: apps.includes(current.user_app_name) ? current.user_app_name : apps[0],
      teams,
      team_id: team?.team_id ?? '',
      team_name: team?.team_name ?? '',
    };
  });
}

/** Computes the grants from those held, until nobody has changed them meanwhile. */
const change = (table: Table, account: Account, to: (account: Account) => Granted): Promise<Account> =>
  optimistically(account, async (current) => {
    const { roles, apps, teams } = current;
    const Key = accountKey(current.username);
    return update<Account>(table, { Key, ...assign(to(current), { roles, apps, teams }) });
  });
