import {
  GetSecretValueCommand,
  type GetSecretValueCommandInput,
  ResourceNotFoundException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import type { JWK } from 'jose';

/** A private key as the secret keeps it. */
export type PrivateKey = JWK & { readonly kid: string };

/** A private key, and where it is kept. */
export interface KeyVersion {
  readonly jwk: PrivateKey;
  /** ARN of the secret. */
  readonly secret: string;
  readonly version: string;
  readonly createdAt?: Date | undefined;
}

/** Stage of the version that signs while the current one is too young to; a rotation attaches it. */
export const SIGNING = 'SIGNING';

/** Reads a secret's text as a private key; undefined for anything else, as the placeholder before the first rotation. */
export function parsePrivateKey(text: string | undefined): PrivateKey | undefined {
  if (!text?.startsWith('{')) return undefined;
  try {
    const jwk = JSON.parse(text) as Partial<PrivateKey>;
    return jwk.kid && jwk.d ? (jwk as PrivateKey) : undefined;
  } catch {
    // Its message would quote the key.
    return undefined;
  }
}

/** The key of a version, the current one unless told; undefined where the version holds no key. */
export async function readKeyVersion(
  secrets: SecretsManagerClient,
  input: GetSecretValueCommandInput,
): Promise<KeyVersion | undefined> {
  const {
    SecretString,
    ARN = '',
    VersionId = '',
    CreatedDate,
  } = await secrets.send(new GetSecretValueCommand(input));
  const jwk = parsePrivateKey(SecretString);
  return jwk && { jwk, secret: ARN, version: VersionId, createdAt: CreatedDate };
}

/** The same; undefined also where there is no such version. */
export const findKeyVersion: typeof readKeyVersion = async (secrets, input) => {
  try {
    return await readKeyVersion(secrets, input);
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
};
