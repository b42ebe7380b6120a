import { changeAccess } from '#lib/account/access';
import { contract } from '#lib/account/access.contract';
import { endpoint } from '#lib/handler/endpoint';
import { stepUp } from '#lib/http/step-up';
import { publisherFromEnvironment } from '#lib/outbox/publisher';

/** Adds and removes roles, teams and applications of an account. */
export const handler = endpoint(
  contract,
  ({ caller, accounts: [target], body, actor }, runtime) =>
    changeAccess(runtime, caller, target, body, actor),
  { publish: publisherFromEnvironment, stepUp },
);
