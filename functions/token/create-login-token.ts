import { endpoint } from '#lib/handler/endpoint';
import { publisherFromEnvironment } from '#lib/outbox/publisher';
import { createLogin } from '#lib/token/contracts';
import { createLoginToken } from '#lib/token/create';

/**
 * Creates or replaces the caller's token `logintoken`; the replaced token is refused from then on.
 *
 * One read and one transaction after authentication.
 */
export const handler = endpoint(
  createLogin,
  ({ caller, actor }, runtime) => createLoginToken(runtime, caller, actor),
  { publish: publisherFromEnvironment },
);
