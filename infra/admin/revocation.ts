import { setTimeout as sleep } from 'node:timers/promises';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { CHECK_MS } from '#lib/session/lead';
import { revokeKey } from '#lib/session/publish-key';
import type { Table } from '#lib/table/table';
import { Refusal } from './refusal.ts';
import { finished, isNeeded, startRotation } from './rotation.ts';

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
 * @param signingKey the secret of the instance, for keys that do not name theirs
 * @param checkMs time after which every function has read the keys again
 * @throws Refusal `key_not_found`
 */
export async function revoke(
  secrets: SecretsManagerClient,
  signingKey: string,
  table: Table,
  kid: string,
  checkMs = CHECK_MS,
): Promise<Revocation> {
  const item = await revokeKey(table, kid, Date.now());
  if (!item) throw new Refusal('key_not_found', `The table has no key ${kid}`);
  const refusedEverywhere = sleep(checkMs);
  const { secret_id: secret = signingKey, secret_version } = item;
  // A key without a version, from an earlier release, may be the current one.
  const rotates = secret_version === undefined || (await isNeeded(secrets, secret, secret_version));
  let version: string | null = null;
  if (rotates) {
    version = (await startRotation(secrets, secret)).version;
    await finished(secrets, secret, table, version);
  }
  await refusedEverywhere;
  return { kid, revoked_at: new Date((item.revoked_at ?? 0) * 1000).toISOString(), version };
}
