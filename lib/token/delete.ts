import { countTokens } from '../account/tokens/count.ts';
import { freeName, isHeld, readName } from '../account/tokens/names.ts';
import { removeName, removeTokens } from '../account/tokens/remove.ts';
import { checkMayEnd, isNarrow } from '../account/within.ts';
import { bestEffort } from '../async/best-effort.ts';
import { PATIENT } from '../async/retry.ts';
import type { Actor } from '../event/event.ts';
import { token_delete } from '../event/token-events.ts';
import { Failure } from '../failure/failure.ts';
import type { Account } from '../item/account.ts';
import { type CredentialLimits, tokenIn } from '../item/token.ts';
import { type Announcing, announce, occurrenceBy } from '../outbox/announcement.ts';
import { commitWithEvents } from '../outbox/commit.ts';
import { tokenKey } from '../table/keys.ts';
import { optimistically } from '../table/optimistic.ts';
import { get } from '../table/read.ts';
import { ConditionFailed } from '../table/write.ts';
import { endSecret, type Known, knownAfter } from './end-secret.ts';

/**
 * Deletes an API token and ends its sessions. The next request with any of them is refused.
 *
 * @param sha256 hash that its secret must have; by default any
 * @param limits of the caller's credential, which ends no wider one
 * @throws Failure `token_not_found`, also if the token has expired; `forbidden`
 */
export async function deleteToken(
  runtime: Announcing,
  owner: Account,
  name: string,
  actor: Actor,
  sha256?: string,
  limits: CredentialLimits = {},
) {
  const { table, now } = runtime;
  const announcement = announce(runtime, token_delete, occurrenceBy(runtime, actor), name);
  const read: Known = { owner, held: await readName(table, owner, name) };
  return optimistically(
    read,
    async (known) => {
      const { held, until } = known;
      if (!isHeld(held, now()) || (sha256 ?? held.sha256) !== held.sha256)
        throw new Failure('token_not_found');
      if (isNarrow(limits)) checkMayEnd(tokenIn(await get(table, tokenKey(held.sha256))) ?? {}, limits);
      const named = freeName(held, now());
      const { writes, ending, ended } = endSecret(runtime, known.owner, held, until);
      const count = countTokens(known.owner, { removed: [held], ending }, announcement, now());
      const failed = await commitWithEvents(
        runtime,
        [named, ...writes, count],
        announcement.events(known.owner),
        PATIENT,
      );
      if (failed) return new ConditionFailed(knownAfter(known, failed));
      await bestEffort(Promise.all([removeTokens(table, ended), removeName(table, held)]));
      return { username: owner.username, name };
    },
    PATIENT.attempts,
  );
}
