import { requireSelfOr } from '../auth/caller.ts';
import type { Body } from '../http/contract.ts';
import { Failure } from '../http/failure.ts';
import type { Runtime } from '../runtime.ts';
import { assign } from '../table/assign.ts';
import { accountKey } from '../table/keys.ts';
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
  let account = sameUsername(username, caller.username) ? caller : await readAccount(table, username);
  for (let attempt = 0; attempt < 5; attempt++) {
    if (!account) throw new Failure('account_not_found');
    const { id, teams }: Account = account;
    const changes = { ...fields, ...teamOf(account, fields.team_id) };
    const properties = user_properties && withRoot(user_properties);
    const expected = { id, ...(fields.team_id === undefined ? {} : { teams }) };
    const isEmpty = Object.keys(changes).length === 0 && !properties;
    const refusal = isEmpty
      ? undefined
      : await transact(table, [
          { Update: { Key: accountKey(account.username), ...assign({ id, ...changes }, expected) } },
          ...(properties ? [putProperties(account.username, properties)] : []),
        ]);
    if (!refusal) {
      const current = properties ?? (await readProperties(table, account.username));
      return { user: profileUser({ ...account, ...changes }, current) };
    }
    account = refusal.item as Account | undefined;
  }
  throw new Failure('unavailable', { retryAfter: 1 });
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
