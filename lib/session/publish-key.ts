import type { PublicKeyItem } from '../item/instance.ts';
import { get } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { update } from '../table/write.ts';
import { SESSION_KEYS } from './key-use.ts';
import type { KeyVersion } from './key-version.ts';

/** Expiry of revoked keys. */
const REVOKED = 0;

/**
 * Publishes the public half of a key, also when it was removed or retired. A revoked key is not published again; a
 * published key keeps its time of publication.
 *
 * @param now in milliseconds since the epoch
 * @returns whether the key is published
 */
export async function publishKey(
  table: Table,
  { jwk: { d, p, q, dp, dq, qi, oth, ...jwk }, secret, version }: KeyVersion,
  now: number,
  { itemKey } = SESSION_KEYS,
): Promise<boolean> {
  const refused = await update(table, {
    Key: itemKey(jwk.kid),
    UpdateExpression:
      'SET jwk = :jwk, secret_id = :secret, secret_version = :version, published_at = if_not_exists(published_at, :now) REMOVE expires_at',
    // Does not name `revoked_at`, which login may not change.
    ConditionExpression: 'attribute_not_exists(expires_at) OR expires_at <> :revoked',
    ExpressionAttributeValues: {
      ':jwk': jwk,
      ':secret': secret,
      ':version': version,
      ':now': Math.floor(now / 1000),
      ':revoked': REVOKED,
    },
  });
  return refused === undefined;
}

/**
 * Revokes a key permanently: its tokens are refused, and nothing publishes it again.
 *
 * @param now in milliseconds since the epoch
 * @returns the public half as stored, undefined when the table has no such key
 */
export async function revokeKey(
  table: Table,
  kid: string,
  now: number,
  { itemKey } = SESSION_KEYS,
): Promise<PublicKeyItem | undefined> {
  const key = itemKey(kid);
  const unknown = await update(table, {
    Key: key,
    // Functions of an earlier version read only the expiry.
    UpdateExpression: 'SET revoked_at = if_not_exists(revoked_at, :now), expires_at = :never',
    ConditionExpression: 'attribute_exists(PK)',
    ExpressionAttributeValues: { ':now': Math.floor(now / 1000), ':never': REVOKED },
  });
  return unknown ? undefined : get(table, key);
}
