import * as z from 'zod/mini';
import { type Account, isLocked } from './account.ts';
import { fieldsOf } from './fields.ts';

/** The fields of a directory item that stand in the account item as they are. */
const directoryFields = () =>
  z.strictObject({
    id: z.uuid(),
    username: z.string(),
    phonenumber: z.string(),
    emailconfirmed: z.boolean(),
    lockoutenabled: z.boolean(),
    isactive: z.boolean(),
    lastActivity: z.string(),
    team_id: z.string(),
    team_name: z.string(),
    user_currency: z.string(),
    user_home: z.nullable(z.string()),
    user_app_name: z.string(),
    user_first_name: z.string(),
    user_last_name: z.string(),
    user_color: z.string(),
    user_avatar: z.nullable(z.string()),
    user_short: z.string(),
  });

/** An account as the directory lists it. */
export const directoryItemSchema = () =>
  z.extend(directoryFields(), {
    islocked: z.boolean(),
    lockoutend: z.nullable(z.string()),
    lockoutending: z.nullable(z.string()),
    teams: z.int(),
    roles: z.int(),
  });

type DirectoryItem = z.output<ReturnType<typeof directoryItemSchema>>;

const fields = fieldsOf(directoryFields());

/** An account as the directory lists it at the time `now`. */
export function directoryItem(account: Account, now: number): DirectoryItem {
  const islocked = isLocked(account, now);
  const lockoutend = (islocked && account.lockoutend) || null;
  return {
    ...fields(account),
    islocked,
    lockoutend,
    lockoutending: lockoutend?.replace('+00:00', 'Z') ?? null,
    teams: account.teams.length,
    roles: account.roles.length,
  };
}

/** The directory item after a change of state, and whether there was one. */
export const changedItem = ({ account, changed }: { account: Account; changed: boolean }, now: number) => ({
  ...directoryItem(account, now),
  changed,
});
