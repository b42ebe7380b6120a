import { distance } from 'fastest-levenshtein';
import * as z from 'zod/mini';
import { ROLES, type Role } from '../contract/contract.ts';
import { roleOrAppName } from './identifiers.ts';

/** Roles that begin so, in any case, are the service's. */
const RESERVED = 'sys_';

/**
 * The role of the service that was probably meant by an unknown one: one that begins with the name, else the one with the
 * most similar name. Undefined for roles of the service, and for those of applications.
 */
export function meantBy(role: string): Role | undefined {
  const name = role.toLowerCase();
  if (!name.startsWith(RESERVED) || ROLES.includes(role as Role)) return undefined;
  const longer = ROLES.filter((one) => one.startsWith(name));
  const [nearest] = [...(longer.length > 0 ? longer : ROLES)].sort(
    (one, other) => distance(name, one) - distance(name, other),
  );
  return nearest;
}

/** Option of operator commands: accepts unknown roles that look like the service's. */
export interface Forcing {
  readonly force?: boolean | undefined;
}

/** Rule of a role that an account gets: a name, and no misspelt one of the service. Faults do not quote it. */
export const givenRole = () =>
  roleOrAppName().check(
    z.refine((role) => meantBy(role) === undefined, {
      error: ({ input }) => `Is not a role of the service; did you mean ${meantBy(String(input))}?`,
    }),
  );
