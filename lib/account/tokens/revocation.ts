import { PATIENT } from '../../async/retry.ts';
import type { Actor } from '../../event/event.ts';
import { type Account, generationOf, liveTokens } from '../../item/account.ts';
import { type Chance, generationStep } from '../../item/generation.ts';
import type { Revocation } from '../../item/token.ts';
import type { Runtime } from '../../runtime.ts';
import { endingCodes } from '../../table/ending-codes.ts';
import { assign } from '../../table/expressions.ts';
import { accountKey, revocationKey } from '../../table/keys.ts';
import { type TransactWrite, transact } from '../../table/write.ts';
import { changeAccount } from '../change-account.ts';

/** The attributes of an account whose tokens have all ended: its next token is of another generation. */
export const withoutTokens = (before: Account, chance: Chance) => ({
  token_generation: generationOf(before) + generationStep(chance),
  token_count: 0,
  token_ends: undefined,
});

/**
 * The present generation of tokens, ended at a time.
 *
 * @param actor originator in the event of each token; undefined if the event of the change reports the tokens
 */
export const revocationOf = (owner: Account, revoked_at: number, actor?: Actor): Revocation => ({
  revoked_of: owner.username,
  revoked_generation: generationOf(owner),
  revoked_at,
  ...(actor && { revoked_by: actor.by, revoked_in: actor.requestId }),
});

/** The write that records a revocation, in the transaction that ends the generation, until the items are removed. */
export const noteRevocation = (revocation: Revocation): TransactWrite => ({
  Update: {
    Key: revocationKey(revocation.revoked_of, revocation.revoked_generation),
    ...assign(revocation, {}),
  },
});

/**
 * Ends all tokens of an account, their sessions and the one-time codes that it has made in one write, also those that are being
 * created. It retries long enough
 * to succeed while others create and delete tokens all the time. The items remain to be removed.
 *
 * @returns also the number of tokens that were valid before
 */
export function endGeneration(
  runtime: Pick<Runtime, 'table' | 'now' | 'random'>,
  owner: Account,
  actor: Actor,
) {
  return changeAccount(
    owner,
    async (before) => {
      const { token_generation, token_count, token_ends } = before;
      const Key = accountKey(before.username);
      const read = { PK: Key.PK, token_generation, token_count, token_ends };
      const revocation = revocationOf(before, runtime.now(), actor);
      const writes = [
        { Update: { Key, ...endingCodes(assign(withoutTokens(before, runtime), read), runtime) } },
        noteRevocation(revocation),
      ];
      const failed = await transact<Account>(runtime.table, writes, PATIENT);
      return failed ?? { revocation, revoked: liveTokens(before, revocation.revoked_at) };
    },
    PATIENT.attempts,
  );
}
