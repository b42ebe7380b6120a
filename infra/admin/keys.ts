import { setTimeout as sleep } from 'node:timers/promises';
import {
  DescribeSecretCommand,
  ResourceNotFoundException,
  RotateSecretCommand,
  type SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import type { PublicKeyItem } from '#lib/item/instance';
import { chooseKey, signsFrom } from '#lib/session/choose-key';
import { SIGNING } from '#lib/session/key-version';
import { CHECK_MS } from '#lib/session/lead';
import { revokeKey } from '#lib/session/publish-key';
import { openSecrets } from '#lib/session/signing-key';
import { allPublicKeys } from '#lib/table/keys';
import { query } from '#lib/table/read';
import type { Table } from '#lib/table/table';
import { afterChange, Refusal } from './refusal.ts';
import type { Target } from './target.ts';
import { counted } from './terminal/progress.ts';

/** The signing keys of an instance: its secret, and the table that has their public halves. */
export interface KeyStore {
  readonly secrets: SecretsManagerClient;
  readonly SecretId: string;
  readonly table: Table;
}

export const keysOf = ({ signingKey, runtime: { table } }: Target): KeyStore => ({
  secrets: openSecrets(),
  SecretId: signingKey,
  table,
});

/**
 * The public keys, the newest first, with their secret. A key is `published` until verifiers have it, then the current one of
 * the own secret `signs`. Its sessions stay valid while it is `retired`, and end when it is `expired` or `revoked`. A key of
 * another secret `verifies` without an end until a rotation or its own stack gives it one.
 */
export function listKeys(items: readonly PublicKeyItem[], own: Versions, now: number) {
  const signer = signerIn(items, own, now);
  const stateOf = (item: PublicKeyItem) => {
    if (item.revoked_at !== undefined) return 'revoked';
    if (item.jwk.kid === signer?.jwk.kid) return 'signs';
    if (signsFrom(item) > now) return 'published';
    if (item.expires_at === undefined) return 'verifies';
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
    }));
}

/** The key that signs, as login chooses it. */
function signerIn(items: readonly PublicKeyItem[], { current, signing }: Versions, now: number) {
  const at = (version: string | undefined) =>
    version === undefined ? undefined : items.find(({ secret_version }) => secret_version === version);
  return chooseKey(at(current), at(signing), items, now);
}

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
  /** Signs until the current one may. */
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
 * signs (UTC). Both are null until the key is published. Until then the previous key signs, if there is one.
 */
export async function progressOf(store: KeyStore, version: string) {
  const { current } = await versionsOf(store);
  const items = await query(store.table, allPublicKeys);
  const item = items.find(({ secret_version }) => secret_version === version);
  return {
    done: current === version,
    kid: item?.jwk.kid ?? null,
    signs_from: item ? new Date(signsFrom(item)).toISOString() : null,
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
    if (Date.now() >= until)
      throw new Refusal(
        'rotation_unfinished',
        `The version ${version} is not current yet: see the log of keys.rotate-signing-key; "keys rotate" starts again`,
        { changed: true },
      );
    await sleep(everyMs);
  }
}

/**
 * Ends a key and all sessions that it signed, and rotates to another `version` if it is the current one of a secret that
 * still exists. Once this resolves, every function refuses it and login signs with another key.
 */
export async function revoke(own: KeyStore, kid: string, checkMs = CHECK_MS) {
  const item = await revokeKey(own.table, kid, Date.now());
  if (!item) throw new Refusal('key_not_found', `The table has no key ${kid}`);
  const refusedEverywhere = sleep(checkMs);
  const version = await supersede(own, item)
    // Policies of a stack permit nothing on the secret of another one, which may also be deleted.
    .catch(async (error: Error) => {
      if (error.name === 'AccessDeniedException' && isOther(item, await versionsOf(own))) return null;
      throw error;
    })
    .catch(afterChange(`The key ${kid} is revoked`));
  await refusedEverywhere;
  return { kid, revoked_at: new Date((item.revoked_at ?? 0) * 1000).toISOString(), version };
}

/** Rotates from a version, unless another one is current or the secret was deleted; answers the new one. */
async function supersede(
  own: KeyStore,
  { secret_id, secret_version }: PublicKeyItem,
): Promise<string | null> {
  const store = { ...own, SecretId: secret_id ?? own.SecretId };
  const { current, pending }: Versions = await versionsOf(store).catch((error) => {
    if (error instanceof ResourceNotFoundException) return {};
    throw error;
  });
  // A key of an earlier release, without secret and version, may be the current one. One that names a secret has a version of
  // it: whoever may write the item could otherwise have any secret of the AWS account rotated.
  const rotates =
    secret_version === undefined ? secret_id === undefined : [current, pending].includes(secret_version);
  const version = rotates ? (await startRotation(store)).version : null;
  if (version !== null) await finished(store, version);
  return version;
}
