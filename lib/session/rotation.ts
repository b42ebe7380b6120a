import {
  DescribeSecretCommand,
  PutSecretValueCommand,
  type SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import type { SecretsManagerRotationEvent } from 'aws-lambda';
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import { type AuditEntry, ROTATOR } from '../item/audit-entry.ts';
import type { PublicKeyItem } from '../item/instance.ts';
import { log } from '../log/log.ts';
import type { Runtime } from '../runtime.ts';
import { query } from '../table/read.ts';
import { chooseKey, outlivesTokens, publicHalfOf, signsFrom } from './choose-key.ts';
import { rotateSigningKey } from './jobs.ts';
import { type KeyUse, SESSION_KEYS } from './key-use.ts';
import {
  findKeyVersion,
  type KeyVersion,
  type PrivateKey,
  readKeyVersion,
  SIGNING,
  signerOf,
} from './key-version.ts';
import { cachedPublicKeys } from './public-keys.ts';
import { publishKey } from './publish-key.ts';
import { retireSuperseded } from './retire-keys.ts';
import { signSession, verifySession } from './session-token.ts';

/** Event of Secrets Manager, one for each step of a rotation. */
export type RotationEvent = SecretsManagerRotationEvent;
export type RotationStep = RotationEvent['Step'];

type Rotation = Runtime & { readonly secrets: SecretsManagerClient };

/** What is rotated. */
export interface Rotated {
  readonly use: KeyUse;
  /** ID of the job, for the audit log. */
  readonly action: string;
  /** Signs a token with a key, and verifies it by its public half. @throws Error or Failure if it does not verify */
  readonly prove: (runtime: Runtime, jwk: PrivateKey) => Promise<unknown>;
}

/** The rotation of the key of sessions. */
export const OF_SESSIONS: Rotated = {
  use: SESSION_KEYS,
  action: rotateSigningKey.id,
  async prove(runtime, jwk) {
    const session = { sub: 'test', name: 'test', sst: 'test' };
    const issuedAt = Math.floor(runtime.now() / 1000);
    const token = await signSession(runtime, signerOf(jwk), session, issuedAt, 60);
    await verifySession(runtime, token, cachedPublicKeys(runtime.table, runtime.now));
  },
};

/**
 * Takes one step of rotating the signing key: create a private key, publish its public half, check that a token signed
 * with it verifies, make it current. Every step may be repeated.
 *
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/rotating-secrets-lambda-function-overview.html
 */
export async function takeRotationStep(
  rotation: Rotation,
  event: RotationEvent,
  rotated = OF_SESSIONS,
): Promise<void> {
  if (!Object.hasOwn(STEPS, event.Step)) throw new Error('Unknown step of a rotation');
  return STEPS[event.Step](rotation, event, rotated);
}

async function newKey(algorithm: KeyUse['algorithm']): Promise<string> {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
  const jwk = await exportJWK(privateKey);
  const key: PrivateKey = { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: algorithm, use: 'sig' };
  return JSON.stringify(key);
}

/** Creates the pending key, and if it would succeed none also the key that signs. */
async function createSecret(rotation: Rotation, event: RotationEvent, { use }: Rotated) {
  const { secrets, uuid } = rotation;
  const { SecretId } = event;
  const create = async (ClientRequestToken: string, stage: string) =>
    secrets.send(
      new PutSecretValueCommand({
        SecretId,
        ClientRequestToken,
        SecretString: await newKey(use.algorithm),
        VersionStages: [stage],
      }),
    );
  if (await findPendingKey(rotation, event)) return;
  if (use.hasSuccessor && !(await hasKey(rotation, SecretId, use))) await create(uuid(), SIGNING);
  await create(event.ClientRequestToken, 'AWSPENDING');
}

/** Whether a secret has a key that was not revoked. */
async function hasKey({ secrets, table }: Rotation, SecretId: string, { all }: KeyUse): Promise<boolean> {
  const ring = await Promise.all([
    readKeyVersion(secrets, { SecretId }),
    findKeyVersion(secrets, { SecretId, VersionStage: SIGNING }),
  ]);
  const items = await query(table, all);
  return ring.some((key) => key && publicHalfOf(key, items)?.revoked_at === undefined);
}

async function setSecret(rotation: Rotation, event: RotationEvent, { use }: Rotated) {
  const { secrets, table, now } = rotation;
  const { SecretId } = event;
  const published = await publishKey(table, await requirePendingKey(rotation, event), now(), use);
  if (!published) throw new Error('The pending signing key was revoked');
  const signing = use.hasSuccessor && (await findKeyVersion(secrets, { SecretId, VersionStage: SIGNING }));
  if (signing) await publishKey(table, signing, now(), use);
}

async function testSecret(rotation: Rotation, event: RotationEvent, { prove }: Rotated) {
  const { jwk } = await requirePendingKey(rotation, event);
  await prove(rotation, jwk);
}

/** The key that signs once `next` is its successor: the former successor, if gateways know it. */
function promoted(
  next: KeyVersion,
  ring: readonly (KeyVersion | undefined)[],
  items: readonly PublicKeyItem[],
  now: number,
  use: KeyUse,
): KeyVersion | undefined {
  const good = ring.filter(
    (key) => key?.version !== next.version && outlivesTokens(publicHalfOf(key, items), now, use),
  );
  const isKnown = (key: KeyVersion | undefined) =>
    now >= signsFrom(publicHalfOf(key, items) as PublicKeyItem, use);
  return good.find(isKnown) ?? good.at(-1);
}

/**
 * Makes the new key current. The version that signs now gets the stage `SIGNING`: it signs until every verifier knows the
 * new key. With a successor, the former one gets it, and signs until the next rotation.
 */
async function finishSecret(rotation: Rotation, event: RotationEvent, { use, action }: Rotated) {
  const { secrets, table, now } = rotation;
  const { SecretId, ClientRequestToken } = event;
  const { VersionIdsToStages = {} } = await secrets.send(new DescribeSecretCommand({ SecretId }));
  const moveStage = (VersionStage: string, MoveToVersionId: string) => {
    const from = Object.keys(VersionIdsToStages).find((id) => VersionIdsToStages[id]?.includes(VersionStage));
    if (from === MoveToVersionId) return undefined;
    const move = { SecretId, VersionStage, MoveToVersionId, RemoveFromVersionId: from };
    return secrets.send(new UpdateSecretVersionStageCommand(move));
  };

  const next = await requirePendingKey(rotation, event);
  const [current, signing] = await Promise.all([
    readKeyVersion(secrets, { SecretId }),
    findKeyVersion(secrets, { SecretId, VersionStage: SIGNING }),
  ]);
  const items = await query(table, use.all);
  const signer = use.hasSuccessor
    ? promoted(next, [current, signing], items, now(), use)
    : chooseKey(current, signing, items, now());
  if (signer && signer.version !== next.version) await moveStage(SIGNING, signer.version);
  await moveStage('AWSCURRENT', ClientRequestToken);
  await retireSuperseded({ table, now }, next, signer, use);
  const entry: Omit<AuditEntry, 'time'> = {
    actor: ROTATOR,
    credential: null,
    action,
    target: next.jwk.kid,
    outcome: 'ok',
    changed: current?.version !== next.version,
    details: { kid: next.jwk.kid },
    source: null,
    requestId: ClientRequestToken,
  };
  log('audit', { ...entry });
}

const STEPS = { createSecret, setSecret, testSecret, finishSecret };
export const ROTATION_STEPS = Object.keys(STEPS) as RotationStep[];

async function findPendingKey({ secrets }: Rotation, { SecretId, ClientRequestToken }: RotationEvent) {
  return findKeyVersion(secrets, { SecretId, VersionId: ClientRequestToken, VersionStage: 'AWSPENDING' });
}

async function requirePendingKey(rotation: Rotation, event: RotationEvent): Promise<KeyVersion> {
  const key = await findPendingKey(rotation, event);
  if (!key) throw new Error('The secret has no pending signing key');
  return key;
}
