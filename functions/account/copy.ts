import { contract } from '#lib/account/copy.contract';
import { copyMemberships } from '#lib/account/memberships';
import { endpoint } from '#lib/handler/endpoint';
import { stepUp } from '#lib/http/step-up';

/** Adds the missing roles and teams of the source account to the target account. */
export const handler = endpoint(
  contract,
  ({ accounts: [source, target] }, runtime) => copyMemberships(runtime, source, target),
  { stepUp },
);
