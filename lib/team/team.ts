import * as z from 'zod/mini';
import { team_create } from '../event/team-events.ts';
import { Failure } from '../failure/failure.ts';
import { parse } from '../input/parse.ts';
import { fieldsOf, text } from '../item/fields.ts';
import {
  isStanding,
  type Membership,
  type StoredTeam,
  type Team,
  teamSchema,
  teamShort,
} from '../item/team.ts';
import { type Announcer, announce, occurrenceBy } from '../outbox/announcement.ts';
import { commitWithEvents } from '../outbox/commit.ts';
import type { Runtime } from '../runtime.ts';
import { allTeams, teamKey } from '../table/keys.ts';
import { type RangeRequest, rangePage } from '../table/listing.ts';
import { getAll, query } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { creating } from '../table/write.ts';
import { foldCase } from '../text/fold-case.ts';
import { heirOf } from './successor.ts';

/** Input for another name of a team. */
export const teamName = () => z.strictObject({ name: text(128).check(z.minLength(1)) });

/** Input for a new team, in addition to its short name. */
export const newTeam = () =>
  z.extend(teamName(), {
    type: z
      .string()
      .check(z.regex(/^[a-z][a-z0-9_-]{0,31}$/, 'Must be 1 to 32 of a-z, 0-9, _ and -, the first a letter')),
  });

/**
 * Creates a team; its short name is unique without regard to case.
 *
 * @param announcer without it there is no event
 * @throws Failure `team_exists`, `invalid_request`
 */
export async function createTeam(
  runtime: Runtime,
  input: { readonly short: string; readonly name: string; readonly type: string },
  announcer?: Announcer,
): Promise<Team> {
  const { table, uuid } = runtime;
  const { short, name, type } = parse(z.extend(newTeam(), { short: teamShort() }), input);
  const team: Team = { team_id: uuid(), team_short: short, team_name: name, team_type: type };
  const occurrence = announcer && occurrenceBy(runtime, announcer.actor);
  const events = occurrence ? announce(runtime, team_create, occurrence, undefined).events(team) : [];
  const writes = [{ ...creating(teamKey(short), team), otherwise: 'team_exists' as const }];
  await commitWithEvents({ table, publish: announcer?.publish }, writes, events);
  return team;
}

/** All teams by short name, except those that are being deleted. */
export const listTeams = async (table: Table): Promise<Team[]> =>
  (await query(table, allTeams)).filter(isStanding).map(asTeam);

/** One page of the teams by short name. */
export const browseTeams = (table: Table, request: RangeRequest) =>
  rangePage(table, allTeams, request, (team) => (isStanding(team) ? asTeam(team) : undefined));

/**
 * Memberships in the teams with these short names, in their order.
 *
 * @param isLeaving also in teams that are being deleted, which take no members
 * @throws Failure `team_not_found`
 */
export async function membershipsIn(
  table: Table,
  shorts: readonly string[],
  isLeaving = false,
): Promise<Membership[]> {
  const teams = await getAll(table, shorts.map(teamKey));
  return teams.map((team) => {
    if (!team || !(isLeaving || isStanding(team))) throw new Failure('team_not_found');
    return { ...asTeam(team), teamuser_lvl: null };
  });
}

/**
 * Memberships as their teams are now, in their order: a team that is being deleted is replaced by the one that takes its
 * members, and undefined stands for a team that is gone.
 */
export async function presentMemberships(
  table: Table,
  memberships: readonly Membership[],
): Promise<(Membership | undefined)[]> {
  const known = new Map<string, StoredTeam | undefined>();
  let shorts = memberships.map(({ team_short }) => foldCase(team_short));
  while (shorts.length > 0) {
    const teams = await getAll(table, shorts.map(teamKey));
    for (const [n, short] of shorts.entries()) known.set(short, teams[n]);
    shorts = teams.flatMap((team) => (team?.successor && !known.has(team.successor) ? [team.successor] : []));
  }
  const heir = heirOf([...known.values()].filter((team) => team !== undefined));
  return memberships.map((membership) => {
    const { team_id, team_short, teamuser_lvl } = membership;
    const team = known.get(foldCase(team_short));
    const present = team?.team_id === team_id ? heir(team) : undefined;
    return present && { ...asTeam(present), teamuser_lvl: present.team_id === team_id ? teamuser_lvl : null };
  });
}

export const asTeam = fieldsOf(teamSchema);
