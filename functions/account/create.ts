import { create } from '#lib/account/contracts';
import { createInvited } from '#lib/account/invite';
import { endpoint } from '#lib/handler/endpoint';
import { publisherFromEnvironment } from '#lib/outbox/publisher';

/**
 * Creates an account without a password, and answers its one-time code if one is requested, only this time.
 *
 * One transaction after authentication, after one read of its teams, if it has any. With an `Idempotency-Key`, one read
 * before them finds the account of a repeated request.
 */
export const handler = endpoint(create, (request, runtime) => createInvited(runtime, request), {
  publish: publisherFromEnvironment,
});
