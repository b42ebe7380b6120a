import { PATIENT } from '../async/retry.ts';
import type { EventDefinition, Occurrence } from '../event/event.ts';
import { Failure } from '../failure/failure.ts';
import { isStanding, type StoredTeam } from '../item/team.ts';
import { type Announcing, announce } from '../outbox/announcement.ts';
import { commitWithEvents } from '../outbox/commit.ts';
import { assign } from '../table/expressions.ts';
import { teamKey } from '../table/keys.ts';
import type { ConditionFailed, TransactWrite } from '../table/write.ts';

/** A change of a team, with its event and what the event reports besides the team. */
interface Change<Facts> {
  readonly to: Partial<Pick<StoredTeam, 'team_name' | 'successor'>>;
  readonly event: EventDefinition<'team', Facts>;
  readonly facts: Facts;
  readonly occurrence: Occurrence;
  /** Other writes of the transaction. */
  readonly others?: readonly TransactWrite[];
}

/**
 * Changes a team on condition that it is as it was read. The copies in accounts follow by a job (`follow.ts`).
 *
 * @returns the team after the change, or the condition that failed
 */
export async function changeTeam<Facts>(
  runtime: Announcing,
  before: StoredTeam,
  { to, event, facts, occurrence, others = [] }: Change<Facts>,
): Promise<StoredTeam | ConditionFailed> {
  const { team_name, successor, changed_at, transitions = 0 } = before;
  const announcement = announce(runtime, event, occurrence, facts);
  const change = { ...to, transitions: transitions + 1, changed_at: occurrence.at };
  const update = assign(
    { ...change, ...announcement.counted(before) },
    {
      team_id: before.team_id,
      team_name,
      successor,
      changed_at,
      transitions: before.transitions,
      ...announcement.expected(before),
    },
  );
  const after = { ...before, ...change };
  const write = { Update: { Key: { ...teamKey(before.team_short) }, ...update } };
  const failed = await commitWithEvents(runtime, [write, ...others], announcement.events(after), PATIENT);
  return failed ?? after;
}

/** A team that exists, and is not being deleted. @throws Failure `team_not_found` */
export function standing(team: StoredTeam | undefined): StoredTeam {
  if (!team || !isStanding(team)) throw new Failure('team_not_found');
  return team;
}
