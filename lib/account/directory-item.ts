import * as z from 'zod/mini';
import { type Account, isLocked } from './account.ts';

export const directoryItemSchema = () =>
  z.strictObject({
    id: z.uuid(),
    username: z.string(),
    phonenumber: z.string(),
    emailconfirmed: z.boolean(),
    lockoutenabled: z.boolean(),
    islocked: z.boolean(),
    isactive: z.boolean(),
    lockoutend: z.nullable(z.string()),
    lockoutending: z.nullable(z.string()),
    lastActivity: z.string(),
    team_id: z.string(),
    team_name: z.string(),
    user_currency: z.string(),
    user_home: z.nullable(z.string()),
    user_app_name: z.string(),
    teams: z.int(),
    roles: z.int(),
    user_first_name: z.string(),
    user_last_name: z.string(),
    user_color: z.string(),
    user_avatar: z.nullable(z.string()),
    user_short: z.string(),
  });

export type DirectoryItem = z.output<ReturnType<typeof directoryItemSchema>>;

/** An account as the directory lists it at the time `now`. */
export function directoryItem(account: Account, now: number): DirectoryItem {
  const islocked = isLocked(account, now);
  const lockoutend = (islocked && account.lockoutend) || null;
  return {
    id: account.id,
    username: account.username,
    phonenumber: account.phonenumber,
    emailconfirmed: account.emailconfirmed,
    lockoutenabled: account.lockoutenabled,
    islocked,
    isactive: account.isactive,
    lockoutend,
    lockoutending: lockoutend?.replace('+00:00', 'Z') ?? null,
    lastActivity: account.lastActivity,
    team_id: account.team_id,
    team_name: account.team_name,
    user_currency: account.user_currency,
    user_home: account.user_home,
    user_app_name: account.user_app_name,
    teams: account.teams.length,
    roles: account.roles.length,
    user_first_name: account.user_first_name,
    user_last_name: account.user_last_name,
    user_color: account.user_color,
    user_avatar: account.user_avatar,
    user_short: account.user_short,
  };
}

/** The directory item after a change of state, and whether there was one. */
export const changedItem = ({ account, changed }: { account: Account; changed: boolean }, now: number) => ({
  ...directoryItem(account, now),
  changed,
});
