import { readAccount, sameUsername } from '../account/account.ts';
import { putProperties, readProperties, withRoot } from '../account/properties.ts';
import type { Body } from '../contract/contract.ts';
import { Failure } from '../failure.ts';
import type { Account } from '../item/account.ts';
import type { Runtime } from '../runtime.ts';
import { assign } from '../table/expressions.ts';
import { accountKey } from '../table/keys.ts';
import { optimistically } from '../table/optimistic.ts';
import { transact, update } from '../table/write.ts';
import type { profileUpdate } from './contracts.ts';
import { profileUser } from './profile.ts';

/**
 * Changes fields of a profile: the caller's, or that of `username`.
 *
 * @returns the primary user object after the change
 * @throws Failure `account_not_found`, `team_not_member`
 */
export async function updateProfile(
  { table }: Runtime,
  caller: Account,
  { username = caller.username, user_properties, ...fields }: Body<typeof profileUpdate>,
) {
  const properties = user_properties && withRoot(user_properties);
  const target = sameUsername(username, caller.username) ? caller : await readAccount(table, username);
  const account = await optimistically(target, async (current) => {
    if (!current) throw new Failure('account_not_found');
    const changes = { ...fields, ...teamOf(current, fields.team_id) };
    if (Object.keys(changes).length === 0 && !properties) return current;
    const { id, teams } = current;
    const expected = changes.team_id === undefined ? { id } : { id, teams };
    const ofFields = { Key: accountKey(username), ...assign({ id, ...changes }, expected) };
    const failed = properties
      ? await transact(table, [{ Update: ofFields }, putProperties(username, properties)])
      : await update(table, ofFields);
    return failed ?? { ...current, ...changes };
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
