import * as z from 'zod/mini';

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

export type Team = z.output<ReturnType<typeof teamSchema>>;

/** Membership of an account in a team, as in the account item. */
export const membershipSchema = () => z.extend(teamSchema(), { teamuser_lvl: z.nullable(z.string()) });

export type Membership = z.output<ReturnType<typeof membershipSchema>>;
