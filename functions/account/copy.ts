import { copy } from '#lib/account/contracts';
import { copyMemberships } from '#lib/account/memberships';
import { endpoint } from '#lib/handler/endpoint';

/**
 * Gives the target the roles and teams of the source that it lacks.
 *
 * One write after authentication, which has read both.
 */
export const handler = endpoint(copy, ({ accounts: [source, target] }, { table }) =>
  copyMemberships(table, source, target),
);
