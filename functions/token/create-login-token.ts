import { endpoint } from '#lib/handler/endpoint';
import { publisherFromEnvironment } from '#lib/outbox/publisher';
import { createLogin } from '#lib/token/contracts';
import { createLoginToken } from '#lib/token/create';
import { termsOf } from '#lib/token/terms';

/** Creates or replaces the caller's token `logintoken`; the replaced token is refused from then on. */
export const handler = endpoint(
  createLogin,
  ({ caller, actor, body, limits, secret }, runtime) =>
    createLoginToken(runtime, caller, actor, termsOf(runtime, caller, body, limits), secret),
  { publish: publisherFromEnvironment },
);
