import { lockAccount } from '#lib/account/lifecycle/lock';
import { contract } from '#lib/account/lifecycle/lock.contract';
import { auditedTerms } from '#lib/account/lock-terms';
import { Answer } from '#lib/contract/answer';
import { endpoint } from '#lib/handler/endpoint';
import { publisherFromEnvironment } from '#lib/outbox/publisher';

/** Locks an account: its credentials are refused from the next request on. */
export const handler = endpoint(
  contract,
  async ({ actor, accounts: [target], body }, runtime) =>
    new Answer(await lockAccount(runtime, target, actor, body), { details: auditedTerms(body) }),
  { publish: publisherFromEnvironment },
);
