import { setTimeout as sleep } from 'node:timers/promises';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { CHECK_MS } from '#lib/session/lead';
import { revokeKey } from '#lib/session/publish-key';
import type { Table } from '#lib/table/table';
import { finished, isNeeded, startRotation } from './rotation.ts';

/** A key that was revoked. */
export interface Revocation {
  readonly kid: string;
  /** UTC */
  readonly revoked_at: string;
  /** The version of the secret that took its place; null where it was not the current one. */
  readonly version: string | null;
}

/** No key of this id is in the table. */
export class KeyNotFound extends Error {
  override name = 'key_not_found';
}

/**
 * Ends a key and all that it has signed, and rotates where it is the current one. Once this resolves no function takes
 * it for good, and login signs with another.
 *
 * @param signingKey the secret of the instance, for keys that do not say which is theirs
 * @param checkMs after which every function has read the keys again
 * @throws KeyNotFound
 */
export async function revoke(
  secrets: SecretsManagerClient,
  signingKey: string,
  table: Table,
  kid: string,
  checkMs = CHECK_MS,
): Promise<Revocation> {
  const item = await revokeKey(table, kid, Date.now());
  if (!item) throw new KeyNotFound(`The table has no key ${kid}`);
  const refusedEverywhere = sleep(checkMs);
  const { secret_id: secret = signingKey, secret_version } = item;
  // Of a key from before the versions were noted it is not known whether it signs.
  const rotates = secret_version === undefined || (await isNeeded(secrets, secret, secret_version));
  let version: string | null = null;
  if (rotates) {
    version = (await startRotation(secrets, secret)).version;
    await finished(secrets, secret, table, version);
  }
  await refusedEverywhere;
  return { kid, revoked_at: new Date((item.revoked_at ?? 0) * 1000).toISOString(), version };
}
