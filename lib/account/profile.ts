import type { Runtime } from '../runtime.ts';
import { instanceInfo } from '../system/info.ts';
import type { Account } from './account.ts';
import { fieldsOf } from './fields.ts';
import { PROFILE_PARTS, type ProfilePart, partsNamed, userFields } from './profile-schema.ts';
import { type Properties, readProperties } from './properties.ts';

const fields = fieldsOf(userFields());

/** The primary user object of a profile. */
export const profileUser = (account: Account, user_properties: Properties) => ({
  ...fields(account),
  user_properties,
});

/**
 * The parts of a profile that `pscope` asks for: everything when it is omitted, the user alone for `user`,
 * else the instance, the user and what is named.
 */
export async function readProfile(
  { table, settings }: Runtime,
  account: Account,
  pscope: string | undefined,
) {
  const parts = partsOf(pscope);
  const user = profileUser(account, await readProperties(table, account.username));
  return {
    ...(parts.has('instance') ? { instance: instanceInfo(settings) } : {}),
    user,
    ...(parts.has('teams') ? { teams: account.teams } : {}),
    ...(parts.has('roles') ? { roles: account.roles } : {}),
    ...(parts.has('apps') ? { apps: account.apps } : {}),
  };
}

function partsOf(pscope: string | undefined): ReadonlySet<ProfilePart> {
  if (pscope === undefined) return new Set(PROFILE_PARTS);
  const named = partsNamed(pscope);
  return new Set(named.length === 1 && named[0] === 'user' ? named : ['instance', 'user', ...named]);
}
