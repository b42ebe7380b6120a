import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { openSecrets } from '#lib/network/secrets';
import { checkOf, readErasureKey, storedCheck, writeCheck } from '#lib/pseudonym/erasure-key';
import { HELD_MS } from '#lib/pseudonym/name-hash';
import { isoOf } from '#lib/time';
import type { Recorded } from '../recording.ts';
import { afterChange, Refusal } from '../refusal.ts';
import { byKey, isDisproved } from './erasure-key.ts';
import { erasuresOf } from './erasures.ts';

/** The key to adopt, by default the one that the instance has. */
export interface Adopted {
  /** Another secret. */
  readonly from?: string;
  /** Its version before the current one. */
  readonly previous?: true;
  readonly force?: true;
}

/**
 * Copies an erasure key into the secret of the instance, and its check value into a table that has none. By force, it becomes
 * the key of a table that has another one.
 *
 * @throws Refusal `erasure_key_unreadable`, `erasure_key_differs`, `erasure_key_unproved`
 */
export async function adoptKey(target: Recorded, { from, previous, force }: Adopted) {
  const { erasureKey, runtime, note } = target;
  const { table, now } = runtime;
  const secrets = openSecrets();
  const present = await readErasureKey(secrets, { SecretId: erasureKey });
  const SecretId = from ?? erasureKey;
  const named = `${previous ? 'The former version' : 'The key'} of the secret ${SecretId}`;
  const version = { SecretId, ...(previous && { VersionStage: 'AWSPREVIOUS' }) };
  const key =
    from === undefined && !previous
      ? present
      : await readErasureKey(secrets, version).catch(({ name, message }: Error) => {
          throw new Refusal('erasure_key_unreadable', `${named} cannot be read: ${name}: ${message}`);
        });
  const check = await storedCheck(table);
  const isOfTable = check === checkOf(key);
  if (!isOfTable && !force) {
    if (check !== undefined)
      throw new Refusal(
        'erasure_key_differs',
        `${named} is not the one of the table ${table.name}: name the secret that has it, or lose all erased names with --force`,
      );
    if (isDisproved(await byKey(table, key, (await erasuresOf(target)).known)))
      throw new Refusal(
        'erasure_key_unproved',
        `${named} has the hash of no erased name of the audit log: name the secret that has it, or lose these names with --force`,
      );
  }
  const result = isOfTable ? 'same' : check === undefined ? 'written' : 'replaced';
  note({ check: result });
  // First the check value: a function that finds only one of both refuses.
  if (!isOfTable && !(await writeCheck(table, key, check)))
    throw new Refusal('erasure_key_differs', 'Somebody else has changed the check value: try again');
  if (key !== present)
    await secrets
      .send(new PutSecretValueCommand({ SecretId: erasureKey, SecretString: key }))
      .catch(isOfTable ? undefined : afterChange('The check value is that of the key'));
  if (force && !isOfTable)
    console.error(
      `Names erased under the former key are free from now on. "restore check --mend" records those that the audit log has. Functions may use the former key until ${isoOf(now() + HELD_MS)}: erase nobody before.`,
    );
  return {
    key: key === present ? 'same' : 'copied',
    check: result,
    changed: !isOfTable || key !== present,
  };
}
