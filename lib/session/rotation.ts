import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  type SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK } from 'jose';
import type { Runtime } from '../runtime.ts';
import { MAX_EXPIRE_HOURS } from '../settings.ts';
import { allPublicKeys, cursorSecretKey, publicKeyItemKey } from '../table/keys.ts';
import { query } from '../table/read.ts';
import { put, remove, update } from '../table/write.ts';
import { cachedPublicKeys } from './public-keys.ts';
import { signSession, verifySession } from './session-token.ts';
import { HELD_MS, type PrivateKey, parsePrivateKey } from './signing-key.ts';

/** What Secrets Manager sends a rotation function, once a step. */
export interface RotationEvent {
  readonly SecretId: string;
  readonly ClientRequestToken: string;
  readonly Step: RotationStep;
}

/** The steps of a rotation, in their order. */
export const ROTATION_STEPS = ['createSecret', 'setSecret', 'testSecret', 'finishSecret'] as const;
export type RotationStep = (typeof ROTATION_STEPS)[number];

type Rotation = Runtime & { readonly secrets: SecretsManagerClient };

/**
 * One step of rotating the signing key: make a private key, publish its public half, prove that a token
 * signed with it verifies, then let it sign. Every step may be repeated.
 *
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/rotating-secrets-lambda-function-overview.html
 */
export async function takeRotationStep(rotation: Rotation, event: RotationEvent): Promise<void> {
  switch (event.Step) {
    case 'createSecret':
      return createSecret(rotation, event);
    case 'setSecret':
      return setSecret(rotation, event);
    case 'testSecret':
      return testSecret(rotation, event);
    case 'finishSecret':
      return finishSecret(rotation, event);
    default:
      throw new Error('Unknown step of a rotation');
  }
}

async function createSecret(rotation: Rotation, { SecretId, ClientRequestToken }: RotationEvent) {
  if (await pendingKey(rotation, SecretId, ClientRequestToken)) return;
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(privateKey);
  const key: PrivateKey = { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: 'ES256', use: 'sig' };
  await rotation.secrets.send(
    new PutSecretValueCommand({
      SecretId,
      ClientRequestToken,
      SecretString: JSON.stringify(key),
      VersionStages: ['AWSPENDING'],
    }),
  );
}

async function setSecret(rotation: Rotation, { SecretId, ClientRequestToken }: RotationEvent) {
  const { d: _secret, ...jwk } = await requirePendingKey(rotation, SecretId, ClientRequestToken);
  const unlessThere = { ConditionExpression: 'attribute_not_exists(PK)' };
  await put(rotation.table, publicKeyItemKey(jwk.kid), { jwk }, unlessThere);
  const secret = Buffer.from(rotation.random(32)).toString('base64url');
  await put(rotation.table, cursorSecretKey, { secret }, unlessThere);
}

async function testSecret(rotation: Rotation, { SecretId, ClientRequestToken }: RotationEvent) {
  const jwk = await requirePendingKey(rotation, SecretId, ClientRequestToken);
  const key = (await importJWK(jwk, 'ES256')) as CryptoKey;
  const session = { sub: 'test', name: 'test', sst: 'test' };
  const token = await signSession(
    rotation,
    { kid: jwk.kid, key },
    session,
    Math.floor(rotation.now() / 1000),
    60,
  );
  await verifySession(rotation, token, cachedPublicKeys(rotation.table, rotation.now));
}

async function finishSecret(rotation: Rotation, { SecretId, ClientRequestToken }: RotationEvent) {
  const { VersionIdsToStages = {} } = await rotation.secrets.send(new DescribeSecretCommand({ SecretId }));
  const current = Object.keys(VersionIdsToStages).find((id) =>
    VersionIdsToStages[id]?.includes('AWSCURRENT'),
  );
  const { kid } = await requirePendingKey(rotation, SecretId, ClientRequestToken);
  if (current !== ClientRequestToken)
    await rotation.secrets.send(
      new UpdateSecretVersionStageCommand({
        SecretId,
        VersionStage: 'AWSCURRENT',
        MoveToVersionId: ClientRequestToken,
        RemoveFromVersionId: current,
      }),
    );
  await retireOthers(rotation, kid);
}

/**
 * A retired key verifies until the longest token that it can have signed has expired, whatever the setting was
 * then; it is removed by a later rotation.
 */
async function retireOthers({ table, now }: Rotation, kid: string) {
  const seconds = Math.floor(now() / 1000);
  const expires_at = seconds + MAX_EXPIRE_HOURS * 3600 + HELD_MS / 1000 + 60;
  const others = (await query(table, allPublicKeys)).filter(({ jwk }) => jwk.kid !== kid);
  for (const other of others) {
    if (other.expires_at === undefined)
      await update(table, {
        Key: publicKeyItemKey(other.jwk.kid),
        UpdateExpression: 'SET expires_at = :at',
        ConditionExpression: 'attribute_exists(PK) AND attribute_not_exists(expires_at)',
        ExpressionAttributeValues: { ':at': expires_at },
      });
    else if (other.expires_at < seconds) await remove(table, publicKeyItemKey(other.jwk.kid));
  }
}

async function pendingKey({ secrets }: Rotation, SecretId: string, VersionId: string) {
  try {
    const { SecretString } = await secrets.send(
      new GetSecretValueCommand({ SecretId, VersionId, VersionStage: 'AWSPENDING' }),
    );
    return parsePrivateKey(SecretString);
  } catch (error) {
    if (error instanceof Error && error.name === 'ResourceNotFoundException') return undefined;
    throw error;
  }
}

async function requirePendingKey(rotation: Rotation, SecretId: string, VersionId: string) {
  const key = await pendingKey(rotation, SecretId, VersionId);
  if (!key) throw new Error('The secret has no pending signing key');
  return key;
}
