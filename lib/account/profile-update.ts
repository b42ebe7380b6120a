import { requireSelfOr } from '../auth/caller.ts';
import { Failure } from '../failure.ts';
import type { Body } from '../http/contract.ts';
import type { Runtime } from '../runtime.ts';
import { assign } from '../table/expressions.ts';
import { accountKey } from '../table/keys.ts';
import { optimistically } from '../table/optimistic.ts';
import { transact } from '../table/write.ts';
import { type Account, readAccount, sameUsername } from './account.ts';
import type { profileUpdate } from './contracts.ts';
import { profileUser } from './profile.ts';
import { putProperties, readProperties, withRoot } from './properties.ts';

/**
 * Changes fields of a profile: the caller's, or as an administrator that of `username`.
 *
 * @returns the primary user object after the change
 * @throws Failure `forbidden`, `account_not_found`, `team_not_member`
 */
export async function updateProfile(
  { table }: Runtime,
  caller: Account,
  { username = caller.username, user_properties, ...fields }: Body<typeof profileUpdate>,
) {
  requireSelfOr('sys_administrator', caller, username);
  const properties = user_properties && withRoot(user_properties);
  const target = sameUsername(username, caller.username) ? caller : await readAccount(table, username);
  const account = await optimistically(target, async (current) => {
    if (!current) throw new Failure('account_not_found');
    const changes = { ...fields, ...teamOf(current, fields.team_id) };
    if (Object.keys(changes).length === 0 && !properties) return current;
    const { id, teams } = current;
    const refusal = await transact(table, [
      {
        Update: {
          Key: accountKey(username),
          ...assign({ id, ...changes }, changes.team_id === undefined ? { id } : { id, teams }),
        },
      },
      ...(properties ? [putProperties(username, properties)] : []),
    ]);
    return refusal ?? { ...current, ...changes };
  });
  return { user: profileUser(account, properties ?? (await readProperties(table, username))) };
}

/** The default team and its name, which stands beside it. */
function teamOf({ teams }: Account, team_id: string | undefined) {
  if (team_id === undefined) return {};
  const team = teams.find((membership) => membership.team_id === team_id.toLowerCase());
  if (!team)
    throw new Failure('team_not_member', {
      errors: [{ field: 'team_id', message: 'Must be a team of the account' }],
    });
  return { team_id: team.team_id, team_name: team.team_name };
}
