import { createPrivateKey, type JsonWebKey } from 'node:crypto';
import {
  GetSecretValueCommand,
  type GetSecretValueCommandInput,
  ResourceNotFoundException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import type { JWK } from 'jose';
import type { SigningKey } from './session-token.ts';

/** A private key as the secret stores it. */
export type PrivateKey = JWK & { readonly kid: string };

/** A private key and the version of the secret that stores it. */
export interface KeyVersion {
  readonly jwk: PrivateKey;
  /** ARN of the secret. */
  readonly secret: string;
  readonly version: string;
  readonly createdAt?: Date | undefined;
}

/** Stage of the version that signs until the current one may; rotations attach it. */
export const SIGNING = 'SIGNING';

/** Parses the text of a secret; undefined for anything but a private key, such as the initial placeholder. */
export function parsePrivateKey(text: string | undefined): PrivateKey | undefined {
  try {
    const jwk = JSON.parse(text ?? '') as Partial<PrivateKey>;
    return jwk.kid && jwk.d ? (jwk as PrivateKey) : undefined;
  } catch {
    // The message of the error would quote the key.
    return undefined;
  }
}

/** The key as an object that does not show its content. */
export const signerOf = (jwk: PrivateKey): SigningKey => ({
  kid: jwk.kid,
  key: createPrivateKey({ key: jwk as JsonWebKey, format: 'jwk' }),
});

/** Reads the key of a version, by default the current one; undefined when the version holds no key. */
export async function readKeyVersion(secrets: SecretsManagerClient, input: GetSecretValueCommandInput) {
  const found = await secrets.send(new GetSecretValueCommand(input));
  const jwk = parsePrivateKey(found.SecretString);
  const { ARN = '', VersionId = '', CreatedDate } = found;
  return jwk && { jwk, secret: ARN, version: VersionId, createdAt: CreatedDate };
}

/** Reads the key like {@link readKeyVersion}; undefined also when the secret has no such version. */
export const findKeyVersion: typeof readKeyVersion = (secrets, input) =>
  readKeyVersion(secrets, input).catch((error) => {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  });
