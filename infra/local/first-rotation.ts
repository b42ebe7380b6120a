import { randomBytes, randomUUID } from 'node:crypto';
import {
  CreateSecretCommand,
  DescribeSecretCommand,
  ResourceExistsException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import type { Runtime } from '#lib/runtime';
import { rotateSigningKey } from '#lib/session/jobs';
import { readKeyVersion } from '#lib/session/key-version';
import { readPublicKeys } from '#lib/session/public-keys';
import { ROTATION_STEPS } from '#lib/session/rotation';
import { NAMES } from './machine/resource-names.ts';
import type { Lambda } from './services/lambda/lambda.ts';

/** Has the rotation function take the steps of a rotation, as Secrets Manager does. */
export async function rotateWith(
  lambda: Lambda,
  SecretId: string,
  ClientRequestToken: string,
): Promise<void> {
  for (const Step of ROTATION_STEPS)
    await lambda.invoke(rotateSigningKey.id, { SecretId, ClientRequestToken, Step });
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

/** Creates the signing key unless secret and table have it, or completes a rotation that was cut off. */
export async function ensureSigningKey(
  { table, now }: Runtime,
  secrets: SecretsManagerClient,
  lambda: Lambda,
): Promise<void> {
  const SecretId = NAMES.signingKey;
  // The placeholder of a secret that waits for its first rotation.
  await secrets.send(new CreateSecretCommand({ Name: SecretId, SecretString: 'none' })).catch(exists);
  const kid = (await readKeyVersion(secrets, { SecretId }))?.jwk.kid;
  const known = await readPublicKeys(table, now());
  if (kid && known.some(({ jwk }) => jwk.kid === kid)) return;
  const { VersionIdsToStages = {} } = await secrets.send(new DescribeSecretCommand({ SecretId }));
  const pending = Object.entries(VersionIdsToStages).find(
    ([, stages]) => stages.includes('AWSPENDING') && !stages.includes('AWSCURRENT'),
  );
  await rotateWith(lambda, SecretId, pending?.[0] ?? randomUUID());
}
