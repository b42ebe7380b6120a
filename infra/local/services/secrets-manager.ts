import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { readJson, writeJson } from '../machine/durable-file.ts';
import { ACCOUNT_ID } from '../machine/resource-names.ts';
import {
  type Input,
  type Operations,
  type Service,
  ServiceError,
  serveAwsJson,
} from '../machine/serve-aws.ts';

interface Version {
  readonly text: string;
  readonly created: number;
  stages: readonly string[];
}

interface Secret {
  readonly name: string;
  readonly arn: string;
  /** By client request token of the call that created the version. */
  readonly versions: Record<string, Version>;
}

/** Makes the pending version of a secret current; resolves at the end. */
export type Rotate = (secretArn: string, versionId: string) => Promise<void>;

interface Store {
  /** File of the secrets, which are in memory only without it. */
  readonly file?: string | undefined;
  readonly region: string;
  readonly rotate: Rotate;
}

/** Secrets Manager on loopback, with the operations of rotation, login and operator commands. */
export const startSecretsManager = ({
  accessKeyId,
  ...store
}: Store & { readonly accessKeyId: string }): Promise<Service> =>
  serveAwsJson('secretsmanager', secretOperations(store), accessKeyId);

/** The operations; a change is on the disk before its answer. */
export function secretOperations({ file, region, rotate }: Store): Operations {
  const secrets: Record<string, Secret> = (file && readJson(file)) || {};
  const rotations = new Map<string, Promise<void>>();

  const find = (input: Input): Secret => {
    const id = required(input, 'SecretId');
    const secret = Object.values(secrets).find(({ name, arn }) => id === name || id === arn);
    if (!secret) throw notFound('secret');
    return secret;
  };
  const save = (secret: Secret) => {
    // No request can name a version without a stage by its stage: its private key is of no more use.
    for (const [id, { stages }] of Object.entries(secret.versions))
      if (stages.length === 0) delete secret.versions[id];
    if (file) writeJson(file, secrets);
  };

  return {
    CreateSecret(input) {
      const [name, text, id] = [required(input, 'Name'), required(input, 'SecretString'), tokenOf(input)];
      const known = secrets[name];
      if (known && known.versions[id]?.text !== text) throw exists(`The secret ${name} already exists.`);
      const secret = known ?? {
        name,
        arn: `arn:aws:secretsmanager:${region}:${ACCOUNT_ID}:secret:${name}-local0`,
        versions: { [id]: { text, created: Date.now(), stages: ['AWSCURRENT'] } },
      };
      secrets[name] = secret;
      save(secret);
      return { ...named(secret), VersionId: id };
    },

    GetSecretValue(input) {
      const secret = find(input);
      const id = versionOf(secret, input);
      const version = secret.versions[id];
      if (!version) throw notFound(`secret value for VersionId: ${id}`);
      const { text, stages, created } = version;
      return {
        ...named(secret),
        VersionId: id,
        SecretString: text,
        VersionStages: stages,
        CreatedDate: created / 1000,
      };
    },

    PutSecretValue(input) {
      const [secret, text, id] = [find(input), required(input, 'SecretString'), tokenOf(input)];
      const stages = (input['VersionStages'] as string[] | undefined) ?? ['AWSCURRENT'];
      const known = secret.versions[id];
      if (known && known.text !== text) throw exists(`Version ${id} exists with another value.`);
      if (!isDeepStrictEqual(known?.stages, stages)) {
        secret.versions[id] ??= { text, created: Date.now(), stages: [] };
        for (const stage of stages) attach(secret, stage, id);
        save(secret);
      }
      return { ...named(secret), VersionId: id, VersionStages: secret.versions[id]?.stages };
    },

    DescribeSecret(input) {
      const secret = find(input);
      return {
        ...named(secret),
        VersionIdsToStages: Object.fromEntries(
          Object.entries(secret.versions).map(([id, { stages }]) => [id, stages]),
        ),
      };
    },

    UpdateSecretVersionStage(input) {
      const [secret, stage] = [find(input), required(input, 'VersionStage')];
      const attached = versionAt(secret, stage);
      const target = optional(input, 'MoveToVersionId');
      if (![undefined, target, optional(input, 'RemoveFromVersionId')].includes(attached))
        throw invalidParameter(
          `Staging label ${stage} is currently attached to version ${attached}, so you must reference that version in RemoveFromVersionId.`,
        );
      if (target !== undefined && !secret.versions[target]) throw notFound(`secret version: ${target}`);
      attach(secret, stage, target);
      save(secret);
      return named(secret);
    },

    /** Unlike in the cloud, the answer comes after the rotation. As there, a pending version prevents another one. */
    async RotateSecret(input) {
      const [secret, id] = [find(input), tokenOf(input)];
      const pending = versionAt(secret, 'AWSPENDING');
      // The SDK repeats a request whose answer is late: its token names the same rotation.
      if (!rotations.has(id) && pending !== undefined && pending !== versionAt(secret, 'AWSCURRENT'))
        throw invalidRequest("A previous rotation isn't complete. That rotation will be reattempted.");
      const rotation = rotations.get(id) ?? rotate(secret.arn, id).finally(() => rotations.delete(id));
      rotations.set(id, rotation);
      await rotation.catch((error: Error) => {
        throw invalidRequest(`The rotation failed: ${error.message}`);
      });
      return { ...named(secret), VersionId: id };
    },
  };
}

/** The version that an input names: by id, by stage, or the current one. */
function versionOf(secret: Secret, input: Input): string {
  const id = optional(input, 'VersionId');
  const stage = optional(input, 'VersionStage') ?? (id === undefined ? 'AWSCURRENT' : undefined);
  if (stage === undefined) return id as string;
  const staged = versionAt(secret, stage);
  if (staged === undefined || (id !== undefined && id !== staged))
    throw notFound(`secret value for staging label: ${stage}`);
  return staged;
}

/** The version that has a stage: one at most. */
const versionAt = ({ versions }: Secret, stage: string) =>
  Object.keys(versions).find((id) => versions[id]?.stages.includes(stage));

/** Moves a stage. The version that loses `AWSCURRENT` gets `AWSPREVIOUS`. */
function attach(secret: Secret, stage: string, versionId: string | undefined): void {
  const before = versionAt(secret, stage);
  if (before === versionId) return;
  if (stage === 'AWSCURRENT') attach(secret, 'AWSPREVIOUS', before);
  for (const [id, version] of Object.entries(secret.versions)) {
    const others = version.stages.filter((each) => each !== stage);
    version.stages = id === versionId ? [...others, stage] : others;
  }
}

const named = ({ arn, name }: Secret) => ({ ARN: arn, Name: name });

const notFound = (what: string) =>
  new ServiceError('ResourceNotFoundException', `Secrets Manager can't find the specified ${what}.`);
const exists = (message: string) => new ServiceError('ResourceExistsException', message);
const invalidRequest = (message: string) => new ServiceError('InvalidRequestException', message);
const invalidParameter = (message: string) => new ServiceError('InvalidParameterException', message);

const tokenOf = (input: Input) => optional(input, 'ClientRequestToken') ?? randomUUID();

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
