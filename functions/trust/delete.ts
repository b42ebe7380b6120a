import { endpoint } from '#lib/handler/endpoint';
import { stepUp } from '#lib/http/step-up';
import { publisherFromEnvironment } from '#lib/outbox/publisher';
import { deleteTrust } from '#lib/trust/delete';
import { contract } from '#lib/trust/delete.contract';

/** Deletes a trust: requests with its sessions are refused from then on. */
export const handler = endpoint(
  contract,
  ({ actor, accounts: [machine], params, limits }, runtime) =>
    deleteTrust(runtime, machine, params.trust_name, actor, { limits }),
  { publish: publisherFromEnvironment, stepUp },
);
