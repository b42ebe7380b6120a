import { randomUUID } from 'node:crypto';
import {
  CreateSecretCommand,
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
} from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeEach, vi } from 'vitest';
import { openSecrets } from '#lib/session/signing-key';
import { type Input, serveAwsJson } from '../../../infra/local/machine/serve-aws.ts';
import { secretOperations } from '../../../infra/local/services/secrets-manager.ts';

/** Decides the answer to a call, or throws a ServiceError; undefined lets the store answer. */
export type SecretScript = (operation: string, input: Input) => object | undefined;

/**
 * A Secrets Manager of its own, which this process reaches as functions do. It sees every call, and can answer in
 * place of the store. To be called once at the top of a test file.
 */
export async function openTestSecrets() {
  const calls: string[] = [];
  let script: SecretScript = () => undefined;
  const store = secretOperations({ region: 'eu-west-1', rotate: async () => undefined });
  const service = await serveAwsJson(
    'secretsmanager',
    Object.fromEntries(
      Object.entries(store).map(([name, operation]) => [
        name,
        (input: Input) => {
          calls.push(name);
          return script(name, input) ?? operation(input);
        },
      ]),
    ),
    'local',
  );
  vi.stubEnv('AWS_ENDPOINT_URL_SECRETS_MANAGER', service.url);
  const client = openSecrets();
  beforeEach(() => {
    script = () => undefined;
    calls.length = 0;
  });
  afterAll(async () => {
    client.destroy();
    await service.close();
  });

  return {
    client,
    calls,
    /** From now on this decides. */
    script(next: SecretScript) {
      script = next;
    },
    /** A new secret, whose first version has this text. */
    async create(SecretString: string): Promise<string> {
      const Name = `secret-${randomUUID()}`;
      await client.send(new CreateSecretCommand({ Name, SecretString }));
      calls.length = 0;
      return Name;
    },
    /** Gives a secret a new text. */
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
