import { randomUUID } from 'node:crypto';
import { ServiceError } from '../machine/service-error.ts';
import { type Input, type Operations, type Service, serveAwsJson } from './aws-json.ts';
import { notFound, openSecretStore, type Secret, type SecretStore, versionAt } from './secret-store.ts';

/** Makes a secret's pending version current; resolves once it is. */
export type Rotate = (secretArn: string, versionId: string) => Promise<void>;

export interface SecretsManagerProps {
  /** Where secrets are kept; in memory only where there is none. */
  readonly file?: string | undefined;
  readonly region: string;
  /** Of those whom it answers. */
  readonly accessKeyId: string;
  readonly rotate: Rotate;
}

/** Secrets Manager on loopback: what rotation, login and the operator commands ask of it. */
export const startSecretsManager = ({
  file,
  region,
  accessKeyId,
  rotate,
}: SecretsManagerProps): Promise<Service> =>
  serveAwsJson('secretsmanager', secretOperations(openSecretStore(file, region), rotate), accessKeyId);

/** @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_Operations.html */
export function secretOperations(store: SecretStore, rotate: Rotate): Operations {
  const running = new Map<string, Promise<void>>();
  return {
    CreateSecret(input) {
      const versionId = optional(input, 'ClientRequestToken') ?? randomUUID();
      const secret = store.create(required(input, 'Name'), versionId, required(input, 'SecretString'));
      return { ...named(secret), VersionId: versionId };
    },

    GetSecretValue(input) {
      const secret = store.read(required(input, 'SecretId'));
      const versionId = versionOf(secret, input);
      const version = secret.versions[versionId];
      if (!version)
        throw notFound(`Secrets Manager can't find the specified secret value for VersionId: ${versionId}`);
      const { text, stages, created } = version;
      return {
        ...named(secret),
        VersionId: versionId,
        SecretString: text,
        VersionStages: stages,
        CreatedDate: created / 1000,
      };
    },

    PutSecretValue(input) {
      const versionId = optional(input, 'ClientRequestToken') ?? randomUUID();
      const stages = (input['VersionStages'] as string[] | undefined) ?? ['AWSCURRENT'];
      const secret = store.putVersion(
        required(input, 'SecretId'),
        versionId,
        required(input, 'SecretString'),
        stages,
      );
      return { ...named(secret), VersionId: versionId, VersionStages: secret.versions[versionId]?.stages };
    },

    DescribeSecret(input) {
      const secret = store.read(required(input, 'SecretId'));
      return {
        ...named(secret),
        RotationEnabled: true,
        CreatedDate: secret.created / 1000,
        LastChangedDate: secret.changed / 1000,
        VersionIdsToStages: Object.fromEntries(
          Object.entries(secret.versions).map(([id, { stages }]) => [id, stages]),
        ),
      };
    },

    UpdateSecretVersionStage(input) {
      const stage = required(input, 'VersionStage');
      const secret = store.read(required(input, 'SecretId'));
      const attached = versionAt(secret, stage);
      const target = optional(input, 'MoveToVersionId');
      if (
        attached !== undefined &&
        attached !== target &&
        attached !== optional(input, 'RemoveFromVersionId')
      )
        throw invalidParameter(
          `Staging label ${stage} is currently attached to version ${attached}, so you must reference that version in RemoveFromVersionId.`,
        );
      return named(store.moveStage(secret.arn, stage, target));
    },

    /**
     * Unlike in the cloud, the rotation has taken place when it is answered. As there, none begins while the version
     * of another one is pending.
     */
    async RotateSecret(input) {
      const secret = store.read(required(input, 'SecretId'));
      const pending = versionAt(secret, 'AWSPENDING');
      const versionId = optional(input, 'ClientRequestToken') ?? randomUUID();
      // The same request again, as the SDK sends it where an answer is late, is the same rotation.
      if (!running.has(versionId) && pending !== undefined && pending !== versionAt(secret, 'AWSCURRENT'))
        throw invalidRequest("A previous rotation isn't complete. That rotation will be reattempted.");
      try {
        const rotation =
          running.get(versionId) ?? rotate(secret.arn, versionId).finally(() => running.delete(versionId));
        running.set(versionId, rotation);
        await rotation;
      } catch (error) {
        throw invalidRequest(`The rotation failed: ${(error as Error).message}`);
      }
      return { ...named(secret), VersionId: versionId };
    },
  };
}

/** The version that an input asks for: by id, by stage, or the current one. */
function versionOf(secret: Secret, input: Input): string {
  const id = optional(input, 'VersionId');
  const stage = optional(input, 'VersionStage') ?? (id === undefined ? 'AWSCURRENT' : undefined);
  if (stage === undefined) return id as string;
  const staged = versionAt(secret, stage);
  if (staged === undefined || (id !== undefined && id !== staged))
    throw notFound(`Secrets Manager can't find the specified secret value for staging label: ${stage}`);
  return staged;
}

const named = ({ arn, name }: Secret) => ({ ARN: arn, Name: name });

const invalidRequest = (message: string) => new ServiceError('InvalidRequestException', message);

const invalidParameter = (message: string) => new ServiceError('InvalidParameterException', message);

function required(input: Input, name: string): string {
  const value = optional(input, name);
  if (value === undefined) throw invalidParameter(`You must provide a value for the ${name} parameter.`);
  return value;
}

function optional(input: Input, name: string): string | undefined {
  const value = input[name];
  if (value !== undefined && typeof value !== 'string') throw invalidParameter(`${name} must be a string.`);
  return value;
}
