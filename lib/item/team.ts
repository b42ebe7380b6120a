import * as z from 'zod/mini';
import type { SchemaTexts } from '../texts.ts';
import type { Sequences } from './sequence.ts';

const SHORT = /^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/;

export const teamShort = () =>
  z.string().check(z.regex(SHORT, 'Must be 1 to 32 letters, digits or . _ -, the first a letter or digit'));

/** A team in commands and profiles. */
export const teamSchema = () =>
  z.strictObject({
    team_id: z.uuid(),
    team_short: z.string(),
    team_name: z.string(),
    team_type: z.string(),
  });

export const teamTexts = {
  name: 'Team',
  schema: teamSchema,
  fields: {
    team_id: 'Team ID; never changes',
    team_short: 'Short name of the team, unique among teams',
    team_name: 'Name of the team',
    team_type: 'Type of the team, for example `internal`',
  },
} as const satisfies SchemaTexts;

export type Team = z.output<ReturnType<typeof teamSchema>>;

/** A team as the table has it. */
export interface StoredTeam extends Team, Sequences {
  /** Number of its changes; absent before the first. */
  readonly transitions?: number;
  /** Time of its last change that accounts may not show yet, in milliseconds since the epoch; absent once all show it. */
  readonly changed_at?: number;
  /** Only while the team is being deleted: short name of the team that takes its members, empty without one. */
  readonly successor?: string;
}

/** Whether a team is not being deleted. */
export const isStanding = ({ successor }: StoredTeam) => successor === undefined;

/** Membership of an account in a team, as in the account item. */
export const membershipSchema = () => z.extend(teamSchema(), { teamuser_lvl: z.nullable(z.string()) });

export const membershipTexts = {
  name: 'Membership',
  schema: membershipSchema,
  parts: [teamTexts],
  fields: { teamuser_lvl: 'Level of the account in the team; null if there is none' },
} as const satisfies SchemaTexts;

export type Membership = z.output<ReturnType<typeof membershipSchema>>;

/** The fields of a default team; both are empty without one. */
export const defaultTeam = (team: Team | undefined) => ({
  team_id: team?.team_id ?? '',
  team_name: team?.team_name ?? '',
});
