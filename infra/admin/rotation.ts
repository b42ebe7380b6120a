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
import { Refusal } from './refusal.ts';

/** A rotation that was started. */
export interface Rotation {
  /** The version of the secret that it creates. */
  readonly version: string;
  /** The version of an earlier, stuck rotation that was given up; null if there was none. */
  readonly mended: string | null;
}

/** The progress of a rotation. */
export interface Progress {
  /** Whether the new key is the current one. */
  readonly done: boolean;
  /** ID of the new key; null until it is published. */
  readonly kid: string | null;
  /** Time from which the new key signs (UTC); until then the previous key signs, if there is one. Null while `kid` is. */
  readonly signs_from: string | null;
}

/** Each of the four steps can take a minute, and Secrets Manager waits between them. */
const PATIENCE_MS = 5 * 60_000;

/** The version with a stage. */
export async function versionAt(secrets: SecretsManagerClient, SecretId: string, stage: string) {
  const { VersionIdsToStages = {} } = await secrets.send(new DescribeSecretCommand({ SecretId }));
  return Object.keys(VersionIdsToStages).find((id) => VersionIdsToStages[id]?.includes(stage));
}

/** The versions that are current and pending. */
const versionsOf = async (secrets: SecretsManagerClient, SecretId: string) => ({
  current: await versionAt(secrets, SecretId, 'AWSCURRENT'),
  pending: await versionAt(secrets, SecretId, 'AWSPENDING'),
});

/** Whether a version is current, or about to be. */
export async function isNeeded(secrets: SecretsManagerClient, SecretId: string, version: string) {
  const { current, pending } = await versionsOf(secrets, SecretId);
  return version === current || version === pending;
}

/**
 * Starts a rotation. Secrets Manager refuses it while the version of another is pending, so that version is given up. If
 * the other rotation still runs, its next step finds no pending key and fails.
 */
export async function startRotation(secrets: SecretsManagerClient, SecretId: string): Promise<Rotation> {
  const { current, pending } = await versionsOf(secrets, SecretId);
  // The stage stays on a version that has become current.
  const stuck = pending === current ? undefined : pending;
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

/** The progress of a rotation now. */
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
 * @throws Refusal `rotation_unfinished` after five minutes
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
      throw new Refusal(
        'rotation_unfinished',
        `The version ${version} is not current yet: see the log of keys.rotate-signing-key; "keys rotate" starts again`,
        { changed: true },
      );
    await sleep(everyMs);
  }
}
