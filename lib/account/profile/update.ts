import type { Body } from '../../contract/contract.ts';
import { Failure, failing } from '../../failure/failure.ts';
import type { Account, PropertiesText } from '../../item/account.ts';
import type { Runtime } from '../../runtime.ts';
import { assign, expecting } from '../../table/expressions.ts';
import { accountKey, propertiesKey } from '../../table/keys.ts';
import { get, getAll } from '../../table/read.ts';
import { type TransactWrite, transact, update } from '../../table/write.ts';
import { asRead, readAccount, sameUsername } from '../account.ts';
import { changeAccount } from '../change-account.ts';
import { type Properties, propertiesIn, putProperties, withRoot } from '../properties.ts';
import { namesUser } from './etag.ts';
import { attributesOfUser, profileUser } from './profile.ts';
import type { contract as profileUpdate } from './profile-update.contract.ts';

/**
 * Changes fields of the profile of `username`, by default the caller's own: all of them, or none.
 *
 * @param ifMatch `If-Match` of the request: the user must still be as named when it is written
 * @returns the primary user object after the change
 * @throws Failure `account_not_found`, `team_not_member`, `precondition_failed`
 */
export async function updateProfile(
  { table, now }: Runtime,
  caller: Account,
  { username = caller.username, user_properties, ...fields }: Body<typeof profileUpdate>,
  ifMatch?: string,
) {
  const properties = user_properties && withRoot(user_properties);
  const target = sameUsername(username, caller.username) ? caller : await readAccount(table, username);
  const held = ifMatch === undefined ? undefined : { item: await get(table, propertiesKey(username)) };
  const account = await changeAccount(target, async (current) => {
    if (held && !namesUser(ifMatch as string, profileUser(current, propertiesIn(held.item), now())))
      throw new Failure('precondition_failed');
    const changes = { ...fields, ...teamOf(current, fields.team_id) };
    if (Object.keys(changes).length === 0 && !properties) return current;
    const { id } = current;
    const expected = {
      id,
      ...(changes.team_id === undefined ? {} : asRead(current)),
      ...(held ? attributesOfUser(current) : {}),
    };
    const ofFields = { Key: accountKey(username), ...assign({ id, ...changes }, expected) };
    const others = ofProperties(username, properties, held);
    const failed =
      others.length > 0
        ? await transact(table, [{ Update: ofFields }, ...others])
        : await update(table, ofFields);
    return failed ?? { ...current, ...changes };
  });
  if (held) return { user: profileUser(account, properties ?? propertiesIn(held.item), now()) };
  // Other requests may have changed other fields between the read of the account and the write.
  const [after = account, stored] = await getAll(table, [accountKey(username), propertiesKey(username)]);
  return { user: profileUser(after, propertiesIn(stored), now()) };
}

/** The writes that replace the properties, with the condition that these are as they were read, if they were. */
function ofProperties(
  username: string,
  properties: Properties | undefined,
  held: { readonly item: PropertiesText | undefined } | undefined,
): TransactWrite[] {
  if (!held) return properties ? [putProperties(username, properties)] : [];
  const expected = { json: held.item?.json };
  const otherwise = 'precondition_failed';
  if (properties) return [{ ...putProperties(username, properties, expected), otherwise }];
  return [{ ConditionCheck: { Key: propertiesKey(username), ...expecting(expected) }, otherwise }];
}

/** The default team and its name. */
function teamOf({ teams }: Account, team_id: string | undefined) {
  if (team_id === undefined) return {};
  const team = teams.find((membership) => membership.team_id === team_id.toLowerCase());
  if (!team) throw failing('team_not_member', 'team_id', 'Must be a team of the account');
  return { team_id: team.team_id, team_name: team.team_name };
}
