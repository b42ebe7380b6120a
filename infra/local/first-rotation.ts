import { randomBytes, randomUUID } from 'node:crypto';
import {
  CreateSecretCommand,
  DescribeSecretCommand,
  ResourceExistsException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { rotateResourceKey } from '#lib/resource/jobs';
import { RESOURCE_KEYS } from '#lib/resource/key-use';
import type { Runtime } from '#lib/runtime';
import { rotateSigningKey } from '#lib/session/jobs';
import { type KeyUse, SESSION_KEYS } from '#lib/session/key-use';
import { readKeyVersion } from '#lib/session/key-version';
import { readPublicKeys } from '#lib/session/public-keys';
import { ROTATION_STEPS } from '#lib/session/rotation';
import { NAMES } from './machine/resource-names.ts';
import type { Lambda } from './services/lambda/lambda.ts';

/** The secrets of keys that sign, each with its function and the use of its keys. */
const ROTATED = [
  { name: NAMES.signingKey, job: rotateSigningKey.id, use: SESSION_KEYS },
  { name: NAMES.resourceKey, job: rotateResourceKey.id, use: RESOURCE_KEYS },
] as const;

/** Has the rotation function of a secret take the steps of a rotation, as Secrets Manager does. @param SecretId name or ARN */
export async function rotateWith(
  lambda: Lambda,
  SecretId: string,
  ClientRequestToken: string,
): Promise<void> {
  const [{ job }] = ROTATED.filter(
    ({ name }) => SecretId === name || SecretId.includes(`:secret:${name}-`),
  ) as [(typeof ROTATED)[number]];
  for (const Step of ROTATION_STEPS) await lambda.invoke(job, { SecretId, ClientRequestToken, Step });
}

const exists = (error: unknown) => {
  if (!(error instanceof ResourceExistsException)) throw error;
};

/** Creates the key of erased usernames, which a stack generates, unless there is one; it never changes. */
export const ensureErasureKey = (secrets: SecretsManagerClient) =>
  secrets
    .send(
      new CreateSecretCommand({
        Name: NAMES.erasureKey,
        SecretString: randomBytes(32).toString('base64url'),
      }),
    )
    .catch(exists);

/** Creates the keys that sign, unless secret and table have them, or completes a rotation that was cut off. */
export const ensureSigningKeys = (runtime: Runtime, secrets: SecretsManagerClient, lambda: Lambda) =>
  Promise.all(ROTATED.map(({ name, use }) => ensureSigningKey(runtime, secrets, lambda, name, use)));

async function ensureSigningKey(
  { table, now }: Runtime,
  secrets: SecretsManagerClient,
  lambda: Lambda,
  SecretId: string,
  use: KeyUse,
): Promise<void> {
  // The placeholder of a secret that waits for its first rotation.
  await secrets.send(new CreateSecretCommand({ Name: SecretId, SecretString: 'none' })).catch(exists);
  const kid = (await readKeyVersion(secrets, { SecretId }))?.jwk.kid;
  const known = await readPublicKeys(table, now(), use);
  if (kid && known.some(({ jwk }) => jwk.kid === kid)) return;
  const { VersionIdsToStages = {} } = await secrets.send(new DescribeSecretCommand({ SecretId }));
  const pending = Object.entries(VersionIdsToStages).find(
    ([, stages]) => stages.includes('AWSPENDING') && !stages.includes('AWSCURRENT'),
  );
  await rotateWith(lambda, SecretId, pending?.[0] ?? randomUUID());
}
