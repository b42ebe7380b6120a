import { copy } from '#lib/account/contracts';
import { copyAccount } from '#lib/account/copy';
import { endpoint } from '#lib/http/endpoint';

/**
 * Gives the target the roles and teams of the source that it lacks.
 *
 * One write after authentication, which has read both.
 */
export const handler = endpoint(copy, ({ accounts: [source, target] }, { table }) =>
  copyAccount(table, source, target),
);
