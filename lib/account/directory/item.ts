import * as z from 'zod/mini';
import { type Account, isLocked } from '../../item/account.ts';
import { fieldsOf, shownFields } from '../../item/fields.ts';

/** The fields that a directory item has in common with the account item. */
const directoryFields = () =>
  z.extend(shownFields(), {
    id: z.uuid(),
    lockoutenabled: z.boolean(),
    isactive: z.boolean(),
    lastActivity: z.string(),
    user_avatar: z.nullable(z.string()),
  });

/** An account as the directory lists it. */
export const directoryItemSchema = () =>
  z.extend(directoryFields(), {
    islocked: z.boolean(),
    lockoutend: z.nullable(z.string()),
    lockoutending: z.nullable(z.string()),
    teams: z.int(),
    roles: z.int(),
    created_at: z.string(),
    cancelled_at: z.nullable(z.string()),
    cancelled_by: z.nullable(z.string()),
    lock_reason: z.nullable(z.string()),
  });

export type DirectoryItem = z.output<ReturnType<typeof directoryItemSchema>>;

const fields = fieldsOf(directoryFields);

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
    created_at: `${account.created_at}Z`,
    cancelled_at: account.cancelled_at ?? null,
    cancelled_by: account.cancelled_by ?? null,
    lock_reason: (islocked && account.lock_reason) || null,
  };
}

/** The directory item after a change of state, and whether the state changed. */
export const changedItem = ({ account, changed }: { account: Account; changed: boolean }, now: number) => ({
  ...directoryItem(account, now),
  changed,
});
