import { Answer } from '#lib/contract/answer';
import { eraseAccount } from '#lib/erasure/erase';
import { contract } from '#lib/erasure/erase.contract';
import { keptAfter, retentionsFromEnvironment } from '#lib/erasure/kept';
import { endpoint } from '#lib/handler/endpoint';
import { stepUp } from '#lib/http/step-up';
import { pseudonymOf } from '#lib/item/erasure';
import { publisherFromEnvironment } from '#lib/outbox/publisher';
import { nameHashFromEnvironment } from '#lib/pseudonym/name-hash';

/** Erases a cancelled account, and publishes `user_erase`. */
export const handler = endpoint(
  contract,
  async ({ actor, accounts: [target], params }, runtime) => {
    // Before the erasure: with wrong ones, nobody is erased.
    const retentions = retentionsFromEnvironment();
    const { changed, ...erased } = await eraseAccount(runtime, params.username, target, actor);
    const kept = keptAfter(erased.erased_at, retentions, runtime.settings);
    // After the erasure the audit log has the ID only.
    const about = { target: pseudonymOf(erased.userid) };
    return new Answer({ ...erased, kept }, { changed, ...(!changed && { about }) });
  },
  { publish: publisherFromEnvironment, hashName: nameHashFromEnvironment, stepUp },
);
