import type { PublicKeyItem } from '../item/instance.ts';
import type { Runtime } from '../runtime.ts';
import { MAX_EXPIRE_HOURS } from '../settings.ts';
import { allPublicKeys, publicKeyItemKey } from '../table/keys.ts';
import { query } from '../table/read.ts';
import { remove, update } from '../table/write.ts';
import type { KeyVersion } from './key-version.ts';
import { HELD_MS, LEAD_MS } from './lead.ts';

/** From its retirement on a key may sign for so long, then its longest token expires, and a minute is for clocks. */
export const LIVES_ON_SECONDS = (LEAD_MS + HELD_MS) / 1000 + MAX_EXPIRE_HOURS * 3600 + 60;

/**
 * Retires the keys that the secret of `next` has superseded, and no other: a second secret may keep its key in the same
 * table. A retired key verifies until the longest token that it can have signed has expired, whatever the setting was
 * then; it is removed by a later rotation. One that was revoked stays, so that it stays revoked.
 *
 * @param signer signs until `next` does, though it may have been retired by an earlier rotation
 * @param versions of the same secret: items of before do not say whose they are
 */
export async function retireSuperseded(
  { table, now }: Pick<Runtime, 'table' | 'now'>,
  next: KeyVersion,
  signer: KeyVersion | undefined,
  versions: readonly (KeyVersion | undefined)[],
): Promise<void> {
  const seconds = Math.floor(now() / 1000);
  const expires_at = seconds + LIVES_ON_SECONDS;
  const own = new Set(versions.map((version) => version?.jwk.kid));
  const isSuperseded = ({ jwk: { kid }, secret_id }: PublicKeyItem) =>
    kid !== next.jwk.kid && (secret_id === next.secret || own.has(kid));
  const keys = (await query(table, allPublicKeys)).filter(({ revoked_at }) => revoked_at === undefined);

  for (const item of keys.filter(isSuperseded))
    if (item.expires_at === undefined || (item.jwk.kid === signer?.jwk.kid && item.expires_at < expires_at))
      await update(table, {
        Key: publicKeyItemKey(item.jwk.kid),
        UpdateExpression: 'SET expires_at = :at',
        // What another rotation has done meanwhile stays.
        ConditionExpression: `attribute_exists(PK) AND ${
          item.expires_at === undefined ? 'attribute_not_exists(expires_at)' : 'expires_at = :was'
        }`,
        ExpressionAttributeValues: {
          ':at': expires_at,
          ...(item.expires_at === undefined ? {} : { ':was': item.expires_at }),
        },
      });
  for (const { jwk, expires_at: expired = seconds } of keys)
    if (expired < seconds && jwk.kid !== next.jwk.kid) await remove(table, publicKeyItemKey(jwk.kid));
}
