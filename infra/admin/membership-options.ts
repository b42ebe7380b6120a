import type { Command } from 'commander';
import { ROLES, type Role } from '#lib/contract/contract';
import { usage } from './run.ts';

/** Options that can be given several times. */
export interface MembershipOptions {
  readonly app?: string[];
  readonly role?: string[];
  readonly team?: string[];
  /** Gives roles that look like roles of the service but are unknown. */
  readonly force?: true;
}

/** Parser of an option that may be repeated. */
export const collect = (value: string, before: string[] = []) => [...before, value];

export const withMemberships = (command: Command) =>
  command
    .option('--app <name>', 'an application; repeatable', collect)
    .option('--role <name>', 'a role; repeatable', collect)
    .option('--team <short>', 'a team, by its short name; repeatable', collect);

/** Adds the same for a command that gives them: roles of the service must exist, except with `--force`. */
export const withGrants = (command: Command) =>
  withMemberships(command)
    .option('--force', 'give an unknown role that begins with sys_')
    .hook(
      'preAction',
      usage<MembershipOptions>(({ force, role = [] }) =>
        force ? undefined : role.map((name) => unknownRole(name)).find(Boolean),
      ),
    );

const RESERVED = 'sys_';

/** The fault of a role that looks like a role of the service but is unknown: usually it is misspelt. */
export const unknownRole = (role: string, named = role): string | undefined =>
  role.toLowerCase().startsWith(RESERVED) && !ROLES.includes(role as Role)
    ? `${named} is not a role of the service, which has ${ROLES.join(', ')}; --force gives it anyway`
    : undefined;
