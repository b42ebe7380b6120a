import { setTimeout as sleep } from 'node:timers/promises';
import { CHECK_MS } from '#lib/session/lead';
import { revokeKey } from '#lib/session/publish-key';
import { Refusal } from './refusal.ts';
import { finished, type KeyStore, startRotation, versionsOf } from './rotation.ts';

/** A revoked key. */
export interface Revocation {
  readonly kid: string;
  /** UTC */
  readonly revoked_at: string;
  /** The version of the secret that replaces it; null if it was not the current one. */
  readonly version: string | null;
}

/**
 * Ends a key and all sessions that it signed, and rotates if it is the current one. Once this resolves, every function
 * refuses it and login signs with another key.
 *
 * @param own the keys of the instance; a key can name another secret
 * @param checkMs time after which every function has read the keys again
 * @throws Refusal `key_not_found`
 */
export async function revoke(own: KeyStore, kid: string, checkMs = CHECK_MS): Promise<Revocation> {
  const item = await revokeKey(own.table, kid, Date.now());
  if (!item) throw new Refusal('key_not_found', `The table has no key ${kid}`);
  const refusedEverywhere = sleep(checkMs);
  const { secret_id, secret_version } = item;
  const store = { ...own, SecretId: secret_id ?? own.SecretId };
  // A key without a version, from an earlier release, may be the current one.
  const rotates =
    secret_version === undefined || Object.values(await versionsOf(store)).includes(secret_version);
  let version: string | null = null;
  if (rotates) {
    version = (await startRotation(store)).version;
    await finished(store, version);
  }
  await refusedEverywhere;
  return { kid, revoked_at: new Date((item.revoked_at ?? 0) * 1000).toISOString(), version };
}
