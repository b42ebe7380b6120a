import type { PublicKeyItem } from '#lib/item/instance';
import { outlivesTokens } from '#lib/session/choose-key';
import { findKeyVersion } from '#lib/session/key-version';
import { publishKey } from '#lib/session/publish-key';
import { allPublicKeys } from '#lib/table/keys';
import { query } from '#lib/table/read';
import { placeOf } from '../../stolen.ts';
import type { Diagnosis } from '../diagnosis.ts';
import { isOther, type KeyStore, type Versions, versionsOf } from '../keys.ts';
import { Refusal } from '../refusal.ts';

/**
 * Whether the table has the public half of the current signing key, without which the service refuses new sessions, and
 * whether keys of other secrets verify.
 */
export async function keyFindings(store: KeyStore, now: number): Promise<Diagnosis[]> {
  const own = await versionsOf(store);
  const items = await query(store.table, allPublicKeys);
  return [
    { check: 'signing_key', ...answerOf(own.current, items, now) },
    { check: 'other_signing_keys', ...othersOf(own, items, now) },
  ];
}

/**
 * The keys of other secrets that verify. Whether their stacks exist is unknown: one stack may follow another one on the same
 * table, or two may share it.
 */
export function othersOf(
  own: Versions,
  items: readonly PublicKeyItem[],
  now: number,
): Pick<Diagnosis, 'state' | 'found'> {
  const verify = items.filter(
    (item) =>
      isOther(item, own) && item.revoked_at === undefined && (item.expires_at ?? Infinity) * 1000 > now,
  );
  if (verify.length === 0) return { state: 'ok', found: 'no key of another secret verifies' };
  const endOf = ({ expires_at: end }: PublicKeyItem) =>
    end === undefined ? 'without an end' : `until ${new Date(end * 1000).toISOString()}`;
  const found = verify.map((item) => `${item.jwk.kid} of another secret verifies ${endOf(item)}`).join(', ');
  const kids = verify.map(({ jwk: { kid } }) => `"keys revoke ${kid}"`).join(', ');
  const isEndless = verify.some(({ expires_at }) => expires_at === undefined);
  return {
    state: isEndless ? 'unknown' : 'ok',
    found: `${found}: if its stack was deleted, end it with ${kids}; if no stack had it: ${placeOf('key')}`,
  };
}

/** The state of the current version of the secret among the public keys of a table. */
export function answerOf(
  version: string | undefined,
  items: readonly PublicKeyItem[],
  now: number,
): Pick<Diagnosis, 'state' | 'found'> {
  const item = items.find(({ secret_version }) => version !== undefined && secret_version === version);
  if (!item)
    return {
      state: 'missing',
      found: `the table has ${items.length} public keys, none of them the current one`,
    };
  const { kid } = item.jwk;
  if (item.revoked_at !== undefined)
    return { state: 'wrong', found: `${kid} was revoked: "keys rotate" creates another` };
  return outlivesTokens(item, now)
    ? { state: 'ok', found: kid }
    : { state: 'missing', found: `${kid} is retired in the table but signs` };
}

/** Publishes the current signing key again; reads the private key. @throws Refusal `no_signing_key` */
export async function publishCurrentKey({ secrets, SecretId, table }: KeyStore, now: number): Promise<void> {
  const key = await findKeyVersion(secrets, { SecretId });
  if (!key || !(await publishKey(table, key, now)))
    throw new Refusal('no_signing_key', 'The secret has no key that may sign: "keys rotate" creates another');
}
