import { contract } from '#lib/account/create.contract';
import { createInvited } from '#lib/account/invite';
import { endpoint } from '#lib/handler/endpoint';
import { stepUp } from '#lib/http/step-up';
import { publisherFromEnvironment } from '#lib/outbox/publisher';
import { nameHashFromEnvironment } from '#lib/pseudonym/name-hash';

/** Creates an account without a password, and answers its one-time code if one is requested, only this time. */
export const handler = endpoint(contract, (request, runtime) => createInvited(runtime, request), {
  publish: publisherFromEnvironment,
  stepUp,
  hashName: nameHashFromEnvironment,
});
