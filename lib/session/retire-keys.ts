import type { PublicKeyItem } from '../item/instance.ts';
import type { Runtime } from '../runtime.ts';
import { assign, expecting } from '../table/expressions.ts';
import { query } from '../table/read.ts';
import { remove, update } from '../table/write.ts';
import { publicHalfOf, signsFrom } from './choose-key.ts';
import { type KeyUse, SESSION_KEYS } from './key-use.ts';
import type { KeyVersion } from './key-version.ts';
import { HELD_MS } from './lead.ts';

/** Validity of a retired key: the time in which it may still sign, its longest token, and a minute for clocks. */
export const retiredSeconds = ({ leadMs, maxAgeSeconds }: KeyUse) =>
  (leadMs + HELD_MS) / 1000 + maxAgeSeconds + 60;

/**
 * Retires all keys except `next`, also those of other secrets: the stack of such a key may have been deleted. A stack that
 * still uses the table publishes its key again when that signs. A retired key verifies until its longest possible token
 * has expired; a later rotation removes it. A revoked key stays, so that it stays revoked.
 *
 * With a successor, `signer` is not retired: it signs until the next rotation. Of other secrets, only the keys are retired that
 * were published before it, once every verifier knows it: a former stack signs until then, and a new stack waits until then.
 *
 * @param signer key that signs until `next` does; an earlier rotation may have retired it
 */
export async function retireSuperseded(
  { table, now }: Pick<Runtime, 'table' | 'now'>,
  next: KeyVersion,
  signer: KeyVersion | undefined,
  use: KeyUse = SESSION_KEYS,
): Promise<void> {
  const seconds = Math.floor(now() / 1000);
  const expires_at = seconds + retiredSeconds(use);
  const retire = ({ jwk: { kid }, expires_at: before }: PublicKeyItem) => {
    const Key = use.itemKey(kid);
    return update(table, { Key, ...assign({ expires_at }, { PK: Key.PK, expires_at: before }) });
  };
  const keys = (await query(table, use.all)).filter(({ revoked_at }) => revoked_at === undefined);
  const item = publicHalfOf(signer, keys);
  const isKnown = item !== undefined && now() >= signsFrom(item, use);
  const isFormer = (each: PublicKeyItem) => isKnown && signsFrom(each, use) <= signsFrom(item, use);
  const stays = (each: PublicKeyItem) =>
    each.jwk.kid === next.jwk.kid ||
    (use.hasSuccessor &&
      (each.jwk.kid === signer?.jwk.kid || (each.secret_id !== next.secret && !isFormer(each))));

  for (const item of keys.filter((each) => !stays(each)))
    if (item.expires_at === undefined || (item.jwk.kid === signer?.jwk.kid && item.expires_at < expires_at))
      // Another rotation may have retired or removed the key since the query.
      await retire(item);
  for (const { jwk, expires_at: expired = seconds } of keys)
    if (expired < seconds && jwk.kid !== next.jwk.kid)
      // It stays if it was revoked or published again since the query.
      await remove(table, use.itemKey(jwk.kid), expecting({ expires_at: expired }));
}
