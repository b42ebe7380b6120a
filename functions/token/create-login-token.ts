import { endpoint } from '#lib/handler/endpoint';
import { publisherFromEnvironment } from '#lib/outbox/publisher';
import { createLogin } from '#lib/token/contracts';
import { createLoginToken } from '#lib/token/create';

/**
 * Makes the caller's token named `logintoken`, or replaces it: the one before is refused from then on.
 *
 * One read and one transaction after authentication.
 */
export const handler = endpoint(
  createLogin,
  ({ caller, actor }, runtime) => createLoginToken(runtime, caller, actor),
  { publish: publisherFromEnvironment },
);
