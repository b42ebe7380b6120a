import { endpoint } from '#lib/handler/endpoint';
import { stepUp } from '#lib/http/step-up';
import { publisherFromEnvironment } from '#lib/outbox/publisher';
import { createTrust } from '#lib/trust/create';
import { contract } from '#lib/trust/create.contract';
import { issuersFromEnvironment } from '#lib/trust/issuers';

/** Creates a trust of a machine. */
export const handler = endpoint(
  contract,
  ({ actor, accounts: [machine], params, body, limits }, runtime) =>
    createTrust(runtime, machine, params.trust_name, actor, {
      ...body,
      issuers: issuersFromEnvironment(runtime.settings),
      limits,
    }),
  { publish: publisherFromEnvironment, stepUp },
);
