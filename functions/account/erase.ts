import { Answer } from '#lib/contract/answer';
import { eraseAccount } from '#lib/erasure/erase';
import { contract } from '#lib/erasure/erase.contract';
import { endpoint } from '#lib/handler/endpoint';
import { stepUp } from '#lib/http/step-up';
import { pseudonymOf } from '#lib/item/erasure';
import { publisherFromEnvironment } from '#lib/outbox/publisher';
import { nameHashFromEnvironment } from '#lib/pseudonym/name-hash';

/** Erases a cancelled account, and publishes `user_erase`. */
export const handler = endpoint(
  contract,
  async ({ actor, accounts: [target], params }, runtime) => {
    const { changed, ...data } = await eraseAccount(runtime, params.username, target, actor);
    // After the erasure the audit log has the ID only.
    return new Answer(data, { changed, ...(!changed && { about: { target: pseudonymOf(data.userid) } }) });
  },
  { publish: publisherFromEnvironment, hashName: nameHashFromEnvironment, stepUp },
);
