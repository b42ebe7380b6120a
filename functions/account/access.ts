import { contract } from '#lib/account/access.contract';
import { changeAccess } from '#lib/account/memberships';
import { endpoint } from '#lib/handler/endpoint';
import { stepUp } from '#lib/http/step-up';

/** Adds and removes roles, teams and applications of an account. */
export const handler = endpoint(
  contract,
  ({ caller, accounts: [target], body }, runtime) => changeAccess(runtime, caller, target, body),
  { stepUp },
);
