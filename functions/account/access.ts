import { access } from '#lib/account/contracts';
import { changeAccess } from '#lib/account/memberships';
import { endpoint } from '#lib/handler/endpoint';

/**
 * Adds and removes roles, teams and applications of an account.
 *
 * One write after authentication, and before it one read of the teams, if any are named. An administrator that gives up
 * its own role also reads the directory until it finds another one.
 */
export const handler = endpoint(access, ({ caller, accounts: [target], body }, runtime) =>
  changeAccess(runtime, caller, target, body),
);
