import { PATIENT } from '../async/retry.ts';
import type { Actor } from '../event/event.ts';
import { team_rename } from '../event/team-events.ts';
import { parse } from '../input/parse.ts';
import type { StoredTeam, Team } from '../item/team.ts';
import { type Announcing, occurrenceBy } from '../outbox/announcement.ts';
import { teamKey } from '../table/keys.ts';
import { optimistically } from '../table/optimistic.ts';
import { get } from '../table/read.ts';
import { ConditionFailed } from '../table/write.ts';
import { changeTeam, standing } from './change.ts';
import { asTeam, teamName } from './team.ts';

/**
 * Gives a team another name. The copies in accounts follow by a job.
 *
 * @throws Failure `team_not_found`, `invalid_request`
 */
export async function renameTeam(
  runtime: Announcing,
  { short, ...input }: { readonly short: string; readonly name: string },
  actor: Actor,
) {
  const { name: team_name } = parse(teamName(), input);
  const occurrence = occurrenceBy(runtime, actor);
  return optimistically<StoredTeam | undefined, Team & { readonly changed: boolean }>(
    await get(runtime.table, teamKey(short)),
    async (current) => {
      const before = standing(current);
      if (before.team_name === team_name) return { ...asTeam(before), changed: false };
      const change = { to: { team_name }, event: team_rename, facts: before.team_name, occurrence };
      const after = await changeTeam(runtime, before, change);
      return after instanceof ConditionFailed ? after : { ...asTeam(after), changed: true };
    },
    PATIENT.attempts,
  );
}
