import type { Command } from 'commander';
import type { Role } from '#lib/contract/contract';

const collect = (value: string, before: string[] = []) => [...before, value];

/** Options that may be given several times. */
export interface MembershipOptions {
  readonly app?: string[];
  readonly role?: string[];
  readonly team?: string[];
  /** Gives roles that look like those of the service, and are none. */
  readonly force?: true;
}

/** `--force`, for roles that look like those of the service. */
export const allowingUnknownRoles = (command: Command) =>
  command.option('--force', 'give a role that begins with sys_ and is none of the service');

/** `--app`, `--role` and `--team`, each as often as wanted. */
export const withMemberships = (command: Command) =>
  command
    .option('--app <name>', 'an application; may be repeated', collect)
    .option('--role <name>', 'a role; may be repeated', collect)
    .option('--team <short>', 'a team, by its short name; may be repeated', collect);

/** Roles that begin with this are of the service itself. */
const RESERVED = 'sys_';
const KNOWN: readonly string[] = ['sys_administrator', 'sys_tokens'] satisfies Role[];

/** Whether a role looks like one of the service, and is none: as a rule it is misspelt, and permits nothing. */
export const isUnknownRole = (role: string) =>
  role.toLowerCase().startsWith(RESERVED) && !KNOWN.includes(role);

/** What is said of such a role. */
export const unknownRole = (role: string) =>
  `${role} is no role of the service, which has ${KNOWN.join(' and ')}: --force gives it all the same`;

/** The memberships that the options name. */
export const membershipsOf = ({ app = [], role = [], team = [] }: MembershipOptions) => ({
  apps: app,
  roles: role,
  teams: team,
});

/** Refuses roles that look like those of the service and are none, unless they are wanted all the same. */
export const withKnownRoles =
  <Options extends MembershipOptions>(
    action: (username: string, options: Options, command: Command) => Promise<void>,
  ) =>
  (username: string, options: Options, command: Command) => {
    const unknown = options.force ? undefined : options.role?.find(isUnknownRole);
    if (unknown !== undefined) command.error(`error: ${unknownRole(unknown)}`);
    return action(username, options, command);
  };
