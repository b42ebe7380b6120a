import {
  DescribeSecretCommand,
  PutSecretValueCommand,
  type SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import type { SecretsManagerRotationEvent } from 'aws-lambda';
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import { type AuditEntry, ROTATOR } from '../item/audit-entry.ts';
import { log } from '../log/log.ts';
import type { Runtime } from '../runtime.ts';
import { allPublicKeys } from '../table/keys.ts';
import { query } from '../table/read.ts';
import { chooseKey } from './choose-key.ts';
import { rotateSigningKey } from './jobs.ts';
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

/**
 * Takes one step of rotating the signing key: create a private key, publish its public half, check that a token signed
 * with it verifies, make it current. Every step may be repeated.
 *
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/rotating-secrets-lambda-function-overview.html
 */
export async function takeRotationStep(rotation: Rotation, event: RotationEvent): Promise<void> {
  if (!Object.hasOwn(STEPS, event.Step)) throw new Error('Unknown step of a rotation');
  return STEPS[event.Step](rotation, event);
}

async function createSecret(rotation: Rotation, event: RotationEvent) {
  if (await findPendingKey(rotation, event)) return;
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(privateKey);
  const key: PrivateKey = { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: 'ES256', use: 'sig' };
  await rotation.secrets.send(
    new PutSecretValueCommand({
      SecretId: event.SecretId,
      ClientRequestToken: event.ClientRequestToken,
      SecretString: JSON.stringify(key),
      VersionStages: ['AWSPENDING'],
    }),
  );
}

async function setSecret(rotation: Rotation, event: RotationEvent) {
  const { table, now } = rotation;
  const published = await publishKey(table, await requirePendingKey(rotation, event), now());
  if (!published) throw new Error('The pending signing key was revoked');
}

async function testSecret(rotation: Rotation, event: RotationEvent) {
  const { jwk } = await requirePendingKey(rotation, event);
  const session = { sub: 'test', name: 'test', sst: 'test' };
  const issuedAt = Math.floor(rotation.now() / 1000);
  const token = await signSession(rotation, signerOf(jwk), session, issuedAt, 60);
  await verifySession(rotation, token, cachedPublicKeys(rotation.table, rotation.now));
}

/**
 * Makes the new key current. The version that signs now gets the stage `SIGNING`: login signs with it until every
 * verifier knows the new key.
 */
async function finishSecret(rotation: Rotation, event: RotationEvent) {
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
  const signer = chooseKey(current, signing, await query(table, allPublicKeys), now());
  if (signer && signer.version !== next.version) await moveStage(SIGNING, signer.version);
  await moveStage('AWSCURRENT', ClientRequestToken);
  await retireSuperseded({ table, now }, next, signer);
  const entry: Omit<AuditEntry, 'time'> = {
    actor: ROTATOR,
    credential: null,
    action: rotateSigningKey.id,
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
