import * as z from 'zod/mini';

/** A team as commands and profiles show it. */
export const teamSchema = () =>
  z.strictObject({
    team_id: z.uuid(),
    team_short: z.string(),
    team_name: z.string(),
    team_type: z.string(),
  });

export type Team = z.output<ReturnType<typeof teamSchema>>;

/** Membership of an account in a team; the account item holds it as it is. */
export const membershipSchema = () => z.extend(teamSchema(), { teamuser_lvl: z.nullable(z.string()) });

export type Membership = z.output<ReturnType<typeof membershipSchema>>;
