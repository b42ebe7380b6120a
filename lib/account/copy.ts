import { Failure } from '../failure.ts';
import { assign } from '../table/expressions.ts';
import { accountKey } from '../table/keys.ts';
import { optimistically } from '../table/optimistic.ts';
import type { Table } from '../table/table.ts';
import { Refusal, update } from '../table/write.ts';
import { type Account, MAX_ROLES, MAX_TEAMS } from './account.ts';

/**
 * Gives the target the roles and teams of the source that it lacks, all or none; it loses nothing. A target
 * without a team takes the default team of the source.
 *
 * @throws Failure `account_cancelled` for the target, `team_limit`, `role_limit`
 */
export const copyAccount = (table: Table, source: Account, target: Account) =>
  optimistically(target, async (account) => {
    if (!account.isactive) throw new Failure('account_cancelled');
    const { roles, teams, team_id, isactive } = account;
    const rolesAdded = source.roles.filter((role) => !roles.includes(role));
    const teamsAdded = source.teams.filter((team) => !teams.some((has) => has.team_id === team.team_id));
    if (teams.length + teamsAdded.length > MAX_TEAMS) throw new Failure('team_limit');
    if (roles.length + rolesAdded.length > MAX_ROLES) throw new Failure('role_limit');
    const defaultTeam = team_id === '' ? { team_id: source.team_id, team_name: source.team_name } : {};
    const result = await update(table, {
      Key: accountKey(account.username),
      ...assign(
        { roles: [...roles, ...rolesAdded], teams: [...teams, ...teamsAdded], ...defaultTeam },
        { roles, teams, team_id, isactive },
      ),
    });
    if (result instanceof Refusal) return result;
    return {
      source: source.username,
      target: account.username,
      roles_added: rolesAdded,
      teams_added: teamsAdded.map((team) => team.team_id),
    };
  });
