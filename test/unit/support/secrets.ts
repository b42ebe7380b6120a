import { randomUUID } from 'node:crypto';
import {
  CreateSecretCommand,
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
} from '@aws-sdk/client-secrets-manager';
import { afterAll } from 'vitest';
import { openSecrets } from '#lib/session/signing-key';
import { secretOperations } from '../../../infra/local/services/secrets-manager.ts';
import { openScriptedAws } from './scripted-aws.ts';

/** A Secrets Manager of its own. Call it once at the top of a test file. */
export async function openTestSecrets() {
  const store = secretOperations({ region: 'eu-west-1', rotate: async () => undefined });
  const service = await openScriptedAws('secretsmanager', 'AWS_ENDPOINT_URL_SECRETS_MANAGER', store);
  const client = openSecrets();
  afterAll(() => client.destroy());

  return {
    ...service,
    client,
    /** A new secret, whose first version has this text. */
    async create(SecretString: string): Promise<string> {
      const Name = `secret-${randomUUID()}`;
      await client.send(new CreateSecretCommand({ Name, SecretString }));
      service.calls.length = 0;
      return Name;
    },
    /** Replaces the text of a secret. */
    put: (SecretId: string, SecretString: string, VersionStages?: string[]) =>
      client.send(new PutSecretValueCommand({ SecretId, SecretString, VersionStages })),
    /** The text of a version; by default the current one. */
    textOf: async (SecretId: string, VersionId?: string) =>
      (await client.send(new GetSecretValueCommand({ SecretId, VersionId }))).SecretString as string,
    /** The stages of each version. */
    stagesOf: async (SecretId: string) =>
      (await client.send(new DescribeSecretCommand({ SecretId }))).VersionIdsToStages ?? {},
  };
}
