import type { StoredTeam } from '../item/team.ts';
import { foldCase } from '../text/fold-case.ts';

/**
 * The team to which the members of each team belong: the team itself, or the last of the successors while deletions go on;
 * undefined without one.
 *
 * @param teams at least those and their successors
 */
export function heirOf(teams: readonly StoredTeam[]): (team: StoredTeam) => StoredTeam | undefined {
  const byShort = new Map(teams.map((team) => [foldCase(team.team_short), team]));
  return (team) => {
    let heir: StoredTeam | undefined = team;
    // No chain of successors is a circle: a team that is being deleted succeeds no other.
    while (heir?.successor !== undefined) heir = byShort.get(heir.successor);
    return heir;
  };
}
