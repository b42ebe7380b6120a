import { setTimeout as sleep } from 'node:timers/promises';
import {
  DescribeSecretCommand,
  RotateSecretCommand,
  type SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { signsFrom } from '#lib/session/choose-key';
import { allPublicKeys } from '#lib/table/keys';
import { query } from '#lib/table/read';
import type { Table } from '#lib/table/table';

/** A rotation that has been started. */
export interface Rotation {
  /** The version of the secret that it makes. */
  readonly version: string;
  /** The version of an earlier rotation that had got stuck, and was given up; null where there was none. */
  readonly mended: string | null;
}

/** How far it has come. */
export interface Progress {
  /** Whether the new key is the current one. */
  readonly done: boolean;
  /** Id of the new key; null until it is published. */
  readonly kid: string | null;
  /** From when on it signs at the latest (UTC); until then the key before does, if there is one. Null as `kid` is. */
  readonly signs_from: string | null;
}

/** The four steps may take a minute each, and Secrets Manager takes its time between them. */
const PATIENCE_MS = 5 * 60_000;

/** A rotation that has not come to its end. */
export class RotationUnfinished extends Error {
  override name = 'rotation_unfinished';
}

/** The version that has a stage. */
export async function versionAt(secrets: SecretsManagerClient, SecretId: string, stage: string) {
  const { VersionIdsToStages = {} } = await secrets.send(new DescribeSecretCommand({ SecretId }));
  return Object.keys(VersionIdsToStages).find((id) => VersionIdsToStages[id]?.includes(stage));
}

/** The version of a rotation that has not come to its end. */
async function unfinishedVersion(secrets: SecretsManagerClient, SecretId: string) {
  const pending = await versionAt(secrets, SecretId, 'AWSPENDING');
  // The stage stays on a version that has become current.
  return pending === (await versionAt(secrets, SecretId, 'AWSCURRENT')) ? undefined : pending;
}

/** Whether a version is current, or about to be. */
export const isNeeded = async (secrets: SecretsManagerClient, SecretId: string, version: string) =>
  [
    await versionAt(secrets, SecretId, 'AWSCURRENT'),
    await versionAt(secrets, SecretId, 'AWSPENDING'),
  ].includes(version);

/**
 * Starts a rotation. Secrets Manager refuses to while the version of another is pending: that one is given up. Should it
 * be under way after all, its next step finds no pending key and fails, and this one takes its place.
 */
export async function startRotation(secrets: SecretsManagerClient, SecretId: string): Promise<Rotation> {
  const stuck = await unfinishedVersion(secrets, SecretId);
  if (stuck !== undefined)
    await secrets.send(
      new UpdateSecretVersionStageCommand({
        SecretId,
        VersionStage: 'AWSPENDING',
        RemoveFromVersionId: stuck,
      }),
    );
  const { VersionId = '' } = await secrets.send(
    new RotateSecretCommand({ SecretId, RotateImmediately: true }),
  );
  return { version: VersionId, mended: stuck ?? null };
}

/** How far a rotation has come. */
export async function progressOf(
  secrets: SecretsManagerClient,
  SecretId: string,
  table: Table,
  version: string,
): Promise<Progress> {
  const done = (await versionAt(secrets, SecretId, 'AWSCURRENT')) === version;
  const item = (await query(table, allPublicKeys)).find(({ secret_version }) => secret_version === version);
  return {
    done,
    kid: item?.jwk.kid ?? null,
    signs_from: item ? new Date(signsFrom(item)).toISOString() : null,
  };
}

/**
 * Waits until a rotation is done.
 *
 * @throws RotationUnfinished where it is not within five minutes
 */
export async function finished(
  secrets: SecretsManagerClient,
  SecretId: string,
  table: Table,
  version: string,
  { patienceMs = PATIENCE_MS, everyMs = 1000 } = {},
): Promise<Progress> {
  const until = Date.now() + patienceMs;
  for (;;) {
    const progress = await progressOf(secrets, SecretId, table, version);
    if (progress.done) return progress;
    if (Date.now() >= until)
      throw new RotationUnfinished(
        `The version ${version} is not current yet: the log of keys.rotate-signing-key tells why; keys rotate begins anew`,
      );
    await sleep(everyMs);
  }
}
