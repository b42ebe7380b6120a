import { endpoint } from '#lib/handler/endpoint';
import { stepUp } from '#lib/http/step-up';
import { publisherFromEnvironment } from '#lib/outbox/publisher';
import { createLoginToken } from '#lib/token/create';
import { contract } from '#lib/token/create-login-token.contract';
import { termsOf } from '#lib/token/terms';

/** Creates or replaces the caller's token `logintoken`; the replaced token is refused from then on. */
export const handler = endpoint(
  contract,
  ({ caller, actor, body, ...request }, runtime) =>
    createLoginToken(runtime, caller, actor, termsOf(runtime, caller, body, request.limits), request),
  { publish: publisherFromEnvironment, stepUp },
);
