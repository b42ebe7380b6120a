import type { PublicKeyItem } from '../item/instance.ts';
import type { Runtime } from '../runtime.ts';
import { assign, expecting } from '../table/expressions.ts';
import { allPublicKeys, publicKeyItemKey } from '../table/keys.ts';
import { query } from '../table/read.ts';
import { remove, update } from '../table/write.ts';
import type { KeyVersion } from './key-version.ts';
import { HELD_MS, LEAD_MS } from './lead.ts';
import { MAX_AGE_SECONDS } from './session-token.ts';

/** Validity of a retired key: the time in which it may still sign, its longest token, and a minute for clocks. */
export const RETIRED_SECONDS = (LEAD_MS + HELD_MS) / 1000 + MAX_AGE_SECONDS + 60;

/**
 * Retires all keys except `next`, also those of other secrets: the stack of such a key may have been deleted. A stack that
 * still uses the table publishes its key again when that signs. A retired key verifies until its longest possible token
 * has expired; a later rotation removes it. A revoked key stays, so that it stays revoked.
 *
 * @param signer key that signs until `next` does; an earlier rotation may have retired it
 */
export async function retireSuperseded(
  { table, now }: Pick<Runtime, 'table' | 'now'>,
  next: KeyVersion,
  signer: KeyVersion | undefined,
): Promise<void> {
  const seconds = Math.floor(now() / 1000);
  const expires_at = seconds + RETIRED_SECONDS;
  const retire = ({ jwk: { kid }, expires_at: before }: PublicKeyItem) => {
    const Key = publicKeyItemKey(kid);
    return update(table, { Key, ...assign({ expires_at }, { PK: Key.PK, expires_at: before }) });
  };
  const keys = (await query(table, allPublicKeys)).filter(({ revoked_at }) => revoked_at === undefined);

  for (const item of keys.filter(({ jwk: { kid } }) => kid !== next.jwk.kid))
    if (item.expires_at === undefined || (item.jwk.kid === signer?.jwk.kid && item.expires_at < expires_at))
      // Another rotation may have retired or removed the key since the query.
      await retire(item);
  for (const { jwk, expires_at: expired = seconds } of keys)
    if (expired < seconds && jwk.kid !== next.jwk.kid)
      // It stays if it was revoked or published again since the query.
      await remove(table, publicKeyItemKey(jwk.kid), expecting({ expires_at: expired }));
}
