import type { PublicKeyItem } from '#lib/item/instance';
import { outlivesTokens } from '#lib/session/choose-key';
import { findKeyVersion } from '#lib/session/key-version';
import { publishKey } from '#lib/session/publish-key';
import { allPublicKeys } from '#lib/table/keys';
import { query } from '#lib/table/read';
import type { Diagnosis } from '../diagnosis.ts';
import { type KeyStore, versionsOf } from '../keys.ts';
import { Refusal } from '../refusal.ts';

/** Whether the table has the public half of the current signing key; without it the service refuses new sessions. */
export async function signingKeyFinding(store: KeyStore, now: number): Promise<Diagnosis> {
  const { current } = await versionsOf(store);
  const items = await query(store.table, allPublicKeys);
  return { check: 'signing_key', ...answerOf(current, items, now) };
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
