import { ROLES, type Role } from '#lib/contract/contract';
import { collect, option } from './options.ts';

/** Options that can be given several times. */
export interface MembershipOptions {
  readonly app?: string[];
  readonly role?: string[];
  readonly team?: string[];
  /** Permits unknown roles that look like roles of the service. */
  readonly force?: true;
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
  force ? undefined : role.map((name) => unknownRole(name)).find(Boolean);

const RESERVED = 'sys_';

/** The fault of an unknown role that looks like a role of the service: usually it is misspelt. */
export const unknownRole = (role: string, named = role): string | undefined =>
  role.toLowerCase().startsWith(RESERVED) && !ROLES.includes(role as Role)
    ? `${named} is not a role of the service, which has ${ROLES.join(', ')}; --force accepts it`
    : undefined;
