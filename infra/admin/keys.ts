import { setTimeout as sleep } from 'node:timers/promises';
import {
  DescribeSecretCommand,
  ResourceNotFoundException,
  RotateSecretCommand,
  type SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import type { PublicKeyItem } from '#lib/item/instance';
import { rotateResourceKey } from '#lib/resource/jobs';
import { RESOURCE_KEYS } from '#lib/resource/key-use';
import { chooseKey, signsFrom } from '#lib/session/choose-key';
import { rotateSigningKey } from '#lib/session/jobs';
import { type KeyUse, SESSION_KEYS } from '#lib/session/key-use';
import { SIGNING } from '#lib/session/key-version';
import { CHECK_MS, GATEWAY_CACHE_SECONDS } from '#lib/session/lead';
import { revokeKey } from '#lib/session/publish-key';
import { openSecrets } from '#lib/session/signing-key';
import { query } from '#lib/table/read';
import type { Table } from '#lib/table/table';
import { isoOf } from '#lib/time';
import { afterChange, Refusal } from './refusal.ts';
import type { Target } from './target.ts';
import { counted } from './terminal/progress.ts';

/** The keys of an instance that sign the same: their secret, and the table that has their public halves. */
export interface KeyStore {
  readonly secrets: SecretsManagerClient;
  readonly SecretId: string;
  readonly table: Table;
  readonly use: KeyUse;
}

/** The function that rotates the keys of a use, and the command that starts it. */
export const ROTATIONS: Readonly<
  Record<KeyUse['signs'], { readonly job: string; readonly command: string }>
> = {
  sessions: { job: rotateSigningKey.id, command: 'keys rotate' },
  resources: { job: rotateResourceKey.id, command: 'keys rotate --resources' },
};

/** The keys of a use, by default those of session tokens. */
export const keysOf = (
  { signingKey, resourceKey, runtime: { table } }: Target,
  use: KeyUse = SESSION_KEYS,
): KeyStore => ({
  secrets: openSecrets(),
  SecretId: use === SESSION_KEYS ? signingKey : resourceKey,
  table,
  use,
});

/** The keys of each use, those of session tokens first. */
export const allKeysOf = (target: Target): readonly KeyStore[] =>
  [SESSION_KEYS, RESOURCE_KEYS].map((use) => keysOf(target, use));

/**
 * The public keys of a use, the newest first, with their secret. A key is `published` until verifiers have it, then the current
 * one of the own secret `signs`, or is `next` if another one signs. Its tokens stay valid while it is `retired`, and end when
 * it is `expired` or `revoked`. A key of another secret `verifies` without an end until a rotation or its own stack gives it
 * one.
 */
export function listKeys(
  items: readonly PublicKeyItem[],
  own: Versions,
  now: number,
  use: KeyUse = SESSION_KEYS,
) {
  const signer = signerIn(items, own, now, use);
  const isSuccessor = ({ secret_version }: PublicKeyItem) =>
    secret_version !== undefined && secret_version === own.current;
  const stateOf = (item: PublicKeyItem) => {
    if (item.revoked_at !== undefined) return 'revoked';
    if (item.jwk.kid === signer?.jwk.kid) return 'signs';
    if (signsFrom(item, use) > now) return 'published';
    if (item.expires_at === undefined) return isSuccessor(item) ? 'next' : 'verifies';
    return item.expires_at * 1000 > now ? 'retired' : 'expired';
  };
  const ageOf = ({ published_at: at }: PublicKeyItem) =>
    at === undefined ? 'unknown age' : counted(Math.floor((now / 1000 - at) / 86_400), 'day');
  return items
    .toSorted((a, b) => (b.published_at ?? 0) - (a.published_at ?? 0))
    .map((item) => ({
      kid: item.jwk.kid,
      state: stateOf(item),
      age: ageOf(item),
      secret: item.secret_id === undefined ? 'unknown' : isOther(item, own) ? item.secret_id : 'own',
      signs: use.signs,
    }));
}

/** The public half of a version. */
export const halfOf = (items: readonly PublicKeyItem[], version: string | undefined) =>
  version === undefined ? undefined : items.find(({ secret_version }) => secret_version === version);

/** The key that signs, as login or the token endpoint chooses it. */
export const signerIn = (
  items: readonly PublicKeyItem[],
  { current, signing }: Versions,
  now: number,
  use: KeyUse = SESSION_KEYS,
) => chooseKey(halfOf(items, current), halfOf(items, signing), items, now, use);

/** Whether a key belongs to the secret of another stack, which may have been deleted. */
export const isOther = ({ secret_id }: PublicKeyItem, { secret }: Versions) =>
  secret_id !== undefined && secret_id !== secret;

/** Each of the four steps can take a minute, and Secrets Manager waits between them. */
const PATIENCE_MS = 5 * 60_000;

/** A secret, and IDs of its versions by their stage, which may be the same. */
export interface Versions {
  /** ARN. */
  readonly secret?: string | undefined;
  readonly current?: string | undefined;
  readonly pending?: string | undefined;
  /** Signs until the current one may; of two keys of which one succeeds the other, until the next rotation. */
  readonly signing?: string | undefined;
}

export async function versionsOf({ secrets, SecretId }: KeyStore): Promise<Versions> {
  const { ARN, VersionIdsToStages = {} } = await secrets.send(new DescribeSecretCommand({ SecretId }));
  const at = (stage: string) =>
    Object.keys(VersionIdsToStages).find((id) => VersionIdsToStages[id]?.includes(stage));
  return { secret: ARN, current: at('AWSCURRENT'), pending: at('AWSPENDING'), signing: at(SIGNING) };
}

/**
 * Starts a rotation, which creates `version`. Secrets Manager refuses it while the version of another is pending, so that
 * version is given up and answered as `mended`. If the other rotation still runs, its next step finds no pending key and
 * fails.
 */
export async function startRotation(store: KeyStore) {
  const { secrets, SecretId } = store;
  const { current, pending } = await versionsOf(store);
  // The stage stays on a version that has become current.
  const stuck = pending === current ? undefined : pending;
  const giveUp = { SecretId, VersionStage: 'AWSPENDING', RemoveFromVersionId: stuck };
  if (stuck !== undefined) await secrets.send(new UpdateSecretVersionStageCommand(giveUp));
  const { VersionId = '' } = await secrets.send(
    new RotateSecretCommand({ SecretId, RotateImmediately: true }),
  );
  return { version: VersionId, mended: stuck ?? null };
}

/**
 * The progress of the rotation that creates `version`: whether the new key is current, its ID, and the time from which it
 * signs (UTC). Both are null until the key is published. Until then the previous key signs, if there is one. A successor may
 * sign from that time: it does so from the next rotation, or from the revocation of the key that signs.
 */
export async function progressOf(store: KeyStore, version: string) {
  const { current } = await versionsOf(store);
  const item = halfOf(await query(store.table, store.use.all), version);
  return {
    done: current === version,
    kid: item?.jwk.kid ?? null,
    signs_from: item ? isoOf(signsFrom(item, store.use)) : null,
  };
}

/** Waits until a rotation is done. @throws Refusal `rotation_unfinished` after five minutes */
export async function finished(
  store: KeyStore,
  version: string,
  { patienceMs = PATIENCE_MS, everyMs = 1000 } = {},
) {
  const until = Date.now() + patienceMs;
  for (;;) {
    const progress = await progressOf(store, version);
    if (progress.done) return progress;
    if (Date.now() >= until) {
      const { job, command } = ROTATIONS[store.use.signs];
      throw new Refusal(
        'rotation_unfinished',
        `The version ${version} is not current yet: see the log of ${job}; "${command}" starts again`,
        { changed: true },
      );
    }
    await sleep(everyMs);
  }
}

/**
 * Ends a key and all tokens that it signed, and rotates to another `version` if it is the current one of a secret that still
 * exists, or signs until its successor may. Once this resolves, every function refuses it and another key signs. Gateways
 * accept a key for other services until their caches end.
 *
 * @param stores one of which has the key
 */
export async function revoke(stores: readonly KeyStore[], kid: string, checkMs = CHECK_MS) {
  const { own, item } = await endKey(stores, kid);
  const refusedEverywhere = sleep(checkMs);
  const revokedAt = (item.revoked_at ?? 0) * 1000;
  if (own.use.hasSuccessor)
    console.error(
      `Gateways cache keys for ${GATEWAY_CACHE_SECONDS / 3600} hours: they may accept tokens by ${kid} until ${isoOf(revokedAt + GATEWAY_CACHE_SECONDS * 1000)}.`,
    );
  const version = await supersede(own, item)
    // Policies of a stack permit nothing on the secret of another one, which may also be deleted.
    .catch(async (error: Error) => {
      if (error.name === 'AccessDeniedException' && isOther(item, await versionsOf(own))) return null;
      throw error;
    })
    .catch(afterChange(`The key ${kid} is revoked`));
  await refusedEverywhere;
  return { kid, revoked_at: isoOf(revokedAt), version };
}

/** Revokes the key in the store that has it. @throws Refusal `key_not_found` */
async function endKey(stores: readonly KeyStore[], kid: string) {
  for (const own of stores) {
    const item = await revokeKey(own.table, kid, Date.now(), own.use);
    if (item) return { own, item };
  }
  throw new Refusal('key_not_found', `The table has no key ${kid}`);
}

/** Rotates from a version, unless another one is current or the secret was deleted; answers the new one. */
async function supersede(
  own: KeyStore,
  { secret_id, secret_version }: PublicKeyItem,
): Promise<string | null> {
  const store = { ...own, SecretId: secret_id ?? own.SecretId };
  const { current, pending, signing }: Versions = await versionsOf(store).catch((error) => {
    if (error instanceof ResourceNotFoundException) return {};
    throw error;
  });
  // The stage of a key without a successor stays on it when the next one signs.
  const inUse = [current, pending, ...(own.use.hasSuccessor ? [signing] : [])];
  // A key of an earlier release, without secret and version, may be the current one. One that names a secret has a version of
  // it: whoever may write the item could otherwise have any secret of the AWS account rotated.
  const rotates = secret_version === undefined ? secret_id === undefined : inUse.includes(secret_version);
  const version = rotates ? (await startRotation(store)).version : null;
  if (version !== null) await finished(store, version);
  return version;
}
