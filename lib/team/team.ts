import * as z from 'zod/mini';
import { team_create } from '../event/team-events.ts';
import { Failure } from '../failure/failure.ts';
import { parse } from '../input/parse.ts';
import { fieldsOf, text } from '../item/fields.ts';
import { type Membership, type Team, teamSchema, teamShort } from '../item/team.ts';
import { type Announcer, announce, occurrenceBy } from '../outbox/announcement.ts';
import { commitWithEvents } from '../outbox/commit.ts';
import type { Runtime } from '../runtime.ts';
import { allTeams, teamKey } from '../table/keys.ts';
import { type RangeRequest, rangePage } from '../table/listing.ts';
import { getAll, query } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { creating } from '../table/write.ts';

/** Input for a new team, in addition to its short name. */
export const newTeam = () =>
  z.strictObject({
    name: text(128).check(z.minLength(1)),
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

/** All teams by short name. */
export const listTeams = async (table: Table): Promise<Team[]> => (await query(table, allTeams)).map(asTeam);

/** One page of the teams by short name. */
export const browseTeams = (table: Table, request: RangeRequest) =>
  rangePage(table, allTeams, request, asTeam);

/**
 * Memberships in the teams with these short names, in their order.
 *
 * @throws Failure `team_not_found`
 */
export async function membershipsIn(table: Table, shorts: readonly string[]): Promise<Membership[]> {
  const teams = await getAll(table, shorts.map(teamKey));
  return teams.map((team) => {
    if (!team) throw new Failure('team_not_found');
    return { ...asTeam(team), teamuser_lvl: null };
  });
}

const asTeam = fieldsOf(teamSchema);
