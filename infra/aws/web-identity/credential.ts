import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import type { Credential } from '#lib/client/index';
import { openSecrets } from '#lib/network/secrets';
import { webIdentityToken } from './token.ts';

const {
  CORE_ACCOUNT_URL: url = '',
  CORE_ACCOUNT_TRUST: trust,
  CORE_ACCOUNT_AUDIENCE: audience = url,
  CORE_ACCOUNT_SECRET: SecretId,
} = process.env;

/** Whether the credential is a stored token, which may change. */
export const isStored = trust === undefined;

/**
 * The credential that a construct gave this function: the identity of its role, or a token in Secrets Manager.
 *
 * @throws the error of Secrets Manager
 */
export async function credentialOfFunction(): Promise<Credential> {
  if (trust !== undefined) return { identity: { trust, token: () => webIdentityToken(audience) } };
  const { SecretString = '' } = await openSecrets().send(new GetSecretValueCommand({ SecretId }));
  return { token: SecretString.trim() };
}
