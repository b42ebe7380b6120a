import { PATIENT } from '../async/retry.ts';
import type { Actor } from '../event/event.ts';
import { team_delete } from '../event/team-events.ts';
import { Failure, invalid } from '../failure/failure.ts';
import type { StoredTeam, Team } from '../item/team.ts';
import { type Announcing, occurrenceBy } from '../outbox/announcement.ts';
import { assign } from '../table/expressions.ts';
import { allTeams, teamKey } from '../table/keys.ts';
import { optimistically } from '../table/optimistic.ts';
import { getAll, query } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { ConditionFailed, type TransactWrite } from '../table/write.ts';
import { foldCase } from '../text/fold-case.ts';
import { changeTeam, standing } from './change.ts';
import { countMembers } from './members.ts';
import { heirOf } from './successor.ts';
import { asTeam } from './team.ts';

/**
 * Deletes a team: from then on it takes no members. A job moves those that it has to the successor, then removes its item.
 *
 * @param request `to`: the team that takes the members
 * @throws Failure `team_not_found` for either team, `team_in_use` without a successor, `invalid_request`
 */
export async function deleteTeam(
  runtime: Announcing,
  { short, to }: { readonly short: string; readonly to?: string | undefined },
  actor: Actor,
) {
  const { table } = runtime;
  if (to !== undefined && foldCase(to) === foldCase(short)) throw invalid('to', 'Must be another team');
  const [team, successor] = await getAll(table, [short, ...(to === undefined ? [] : [to])].map(teamKey));
  const taking = to === undefined ? undefined : standing(successor);
  const occurrence = occurrenceBy(runtime, actor);
  return optimistically<StoredTeam | undefined, Team & { readonly moved_to: string | null }>(
    team,
    async (current) => {
      const before = standing(current);
      if (!taking) await refuseMembers(table, before);
      const after = await changeTeam(runtime, before, {
        to: { successor: foldCase(taking?.team_short ?? '') },
        event: team_delete,
        facts: taking,
        occurrence,
        others: taking ? [taken(taking, occurrence.at)] : [],
      });
      if (after instanceof ConditionFailed) return after;
      return { ...asTeam(after), moved_to: taking?.team_short ?? null };
    },
    PATIENT.attempts,
  );
}

/**
 * The condition that a team takes members. It is a write, so that a deletion of that team, which counts who will be its
 * members, collides with this one.
 */
const taken = ({ team_id, team_short }: StoredTeam, changed_at: number): TransactWrite => ({
  Update: { Key: { ...teamKey(team_short) }, ...assign({ changed_at }, { team_id, successor: undefined }) },
  otherwise: 'team_not_found',
});

/** @throws Failure `team_in_use` if accounts are members of a team, or will be once a deletion has moved them */
async function refuseMembers(table: Table, { team_id }: Team): Promise<void> {
  const teams = await query(table, allTeams);
  const heir = heirOf(teams);
  const ids = teams.filter((one) => heir(one)?.team_id === team_id).map((one) => one.team_id);
  const members = await countMembers(table, new Set(ids));
  if (members > 0)
    throw new Failure('team_in_use', {
      data: { members },
      advice: `Number of members: ${members}. Name a team that takes them.`,
    });
}
