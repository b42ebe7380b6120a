import type { Actor } from '../event/account-event.ts';
import { tokenDelete } from '../event/token-delete.ts';
import { Failure } from '../failure.ts';
import type { Account } from '../item/account.ts';
import { type Announcing, announce, changeBy } from '../outbox/announcement.ts';
import { commitWithEvent } from '../outbox/commit.ts';
import { expecting } from '../table/expressions.ts';
import { tokenKey, tokenNameKey } from '../table/keys.ts';
import { optimistically } from '../table/optimistic.ts';
import { get } from '../table/read.ts';
import { ConditionFailed } from '../table/write.ts';
import { countedTokens } from './counted.ts';

/**
 * Deletes an API token. The next request with it is refused.
 *
 * @throws Failure `token_not_found`
 */
export async function deleteToken(runtime: Announcing, owner: Account, name: string, actor: Actor) {
  const { table } = runtime;
  const { username } = owner;
  const key = tokenNameKey(username, name);
  const announcement = announce(runtime, tokenDelete, changeBy(runtime, actor), name);
  return optimistically({ owner, held: await get(table, key) }, async (current) => {
    const { held } = current;
    if (!held) throw new Failure('token_not_found');
    const named = { Delete: { Key: key, ...expecting({ sha256: held.sha256 }) } };
    const writes = [
      named,
      { Delete: { Key: tokenKey(held.sha256) } },
      countedTokens(current.owner, -1, announcement),
    ];
    const failed = await commitWithEvent(table, writes, announcement, current.owner);
    if (!failed) return { username, name };
    return new ConditionFailed(
      failed.write === named ? { ...current, held: failed.item } : { ...current, owner: failed.item },
    );
  });
}
