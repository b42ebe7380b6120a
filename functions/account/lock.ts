import { lock } from '#lib/account/contracts';
import { lockAccount } from '#lib/account/lifecycle/lock';
import { auditedTerms } from '#lib/account/lock-terms';
import { Answer } from '#lib/contract/answer';
import { endpoint } from '#lib/handler/endpoint';
import { publisherFromEnvironment } from '#lib/outbox/publisher';

/** Locks an account: its credentials are refused from the next request on. */
export const handler = endpoint(
  lock,
  async ({ actor, accounts: [target], body }, runtime) =>
    new Answer(await lockAccount(runtime, target, actor, body), { details: auditedTerms(body) }),
  { publish: publisherFromEnvironment },
);
