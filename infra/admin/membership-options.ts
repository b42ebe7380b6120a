import { type Forcing, meantBy } from '#lib/account/roles';
import { ROLES } from '#lib/contract/contract';
import { collect, option } from './options.ts';

/** Options that can be given several times. */
export interface MembershipOptions extends Forcing {
  readonly force?: true;
  readonly app?: string[];
  readonly role?: string[];
  readonly team?: string[];
}

export const MEMBERSHIPS = [
  option('--app <name>', 'an application; repeatable', collect),
  option('--role <name>', 'a role; repeatable', collect),
  option('--team <short>', 'a team, by its short name; repeatable', collect),
];

/** The options of {@link MEMBERSHIPS} and `--force`, without which roles that look like the service's must exist. */
export const GRANTS = [...MEMBERSHIPS, option('--force', 'accept an unknown role that begins with sys_')];

/** The fault of options of {@link GRANTS}. */
export const unknownRoleIn = ({ force, role = [] }: MembershipOptions): string | undefined =>
  force ? undefined : role.map(faultOf).find(Boolean);

function faultOf(role: string): string | undefined {
  const meant = meantBy(role);
  const roles = `a role of the service, which has ${ROLES.join(', ')}`;
  return meant && `${role} is not ${roles}; did you mean ${meant}? --force accepts it`;
}
