import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { CLIENT_LIMITS, namingErrors } from './aws.ts';

/** Opens the secret store with the credentials, region and endpoint of the environment. */
export const openSecrets = () => namingErrors(new SecretsManagerClient(CLIENT_LIMITS));
