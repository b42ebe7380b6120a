import { cancelAccount } from '#lib/account/cancel';
import { cancel } from '#lib/account/contracts';
import { endpoint } from '#lib/http/endpoint';
import { publisherFromEnvironment } from '#lib/outbox/publisher';

const publish = publisherFromEnvironment();

/**
 * Cancels an account and publishes `user_cancel`.
 *
 * One transaction after authentication, then the event; the sweep publishes what is missed.
 */
export const handler = endpoint(cancel, ({ caller, accounts: [target], event }, runtime) =>
  cancelAccount(runtime, publish, caller, target, event.requestContext.requestId),
);
