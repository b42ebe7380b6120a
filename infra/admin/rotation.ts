import { setTimeout as sleep } from 'node:timers/promises';
import {
  DescribeSecretCommand,
  RotateSecretCommand,
  type SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { signsFrom } from '#lib/session/choose-key';
import { openSecrets } from '#lib/session/signing-key';
import { allPublicKeys } from '#lib/table/keys';
import { query } from '#lib/table/read';
import type { Table } from '#lib/table/table';
import { Refusal } from './refusal.ts';
import type { Target } from './target.ts';

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

/** The signing keys of an instance: its secret, and the table that has their public halves. */
export interface KeyStore {
  readonly secrets: SecretsManagerClient;
  readonly SecretId: string;
  readonly table: Table;
}

/** The keys of the instance that a command works on. */
export const keysOf = ({ signingKey, runtime: { table } }: Target): KeyStore => ({
  secrets: openSecrets(),
  SecretId: signingKey,
  table,
});

/** Each of the four steps can take a minute, and Secrets Manager waits between them. */
const PATIENCE_MS = 5 * 60_000;

/** The versions of the secret that are current and pending. */
export async function versionsOf({ secrets, SecretId }: KeyStore) {
  const { VersionIdsToStages = {} } = await secrets.send(new DescribeSecretCommand({ SecretId }));
  const at = (stage: string) =>
    Object.keys(VersionIdsToStages).find((id) => VersionIdsToStages[id]?.includes(stage));
  return { current: at('AWSCURRENT'), pending: at('AWSPENDING') };
}

/**
 * Starts a rotation. Secrets Manager refuses it while the version of another is pending, so that version is given up. If
 * the other rotation still runs, its next step finds no pending key and fails.
 */
export async function startRotation(store: KeyStore): Promise<Rotation> {
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

/** The progress of a rotation now. */
export async function progressOf(store: KeyStore, version: string): Promise<Progress> {
  const { current } = await versionsOf(store);
  const items = await query(store.table, allPublicKeys);
  const item = items.find(({ secret_version }) => secret_version === version);
  return {
    done: current === version,
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
  store: KeyStore,
  version: string,
  { patienceMs = PATIENCE_MS, everyMs = 1000 } = {},
): Promise<Progress> {
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
