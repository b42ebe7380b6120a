import { readJson, writeJson } from '../machine/durable-file.ts';
import { ACCOUNT_ID } from '../machine/resource-names.ts';
import { type Operations, ServiceError, serveAwsJson } from '../machine/serve-aws.ts';

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

/** Parameters of the operations; the SDK checks them, and creates a request token. */
interface Parameters {
  readonly Name: string;
  readonly SecretId: string;
  readonly SecretString: string;
  readonly ClientRequestToken: string;
  readonly VersionId?: string;
  readonly VersionStage?: string;
  readonly VersionStages?: readonly string[];
  readonly MoveToVersionId?: string;
  readonly RemoveFromVersionId?: string;
}

interface Store {
  /** File of the secrets, which are in memory only without it. */
  readonly file?: string | undefined;
  readonly region: string;
  readonly rotate: Rotate;
}

/**
 * Starts Secrets Manager on loopback, with the operations of rotation, login and operator commands.
 *
 * @returns `rotateWith` names the rotation; earlier requests for one wait for it
 */
export async function startSecretsManager({
  accessKeyId,
  ...store
}: Omit<Store, 'rotate'> & { readonly accessKeyId: string }) {
  const { promise: rotation, resolve: rotateWith } = Promise.withResolvers<Rotate>();
  const rotate: Rotate = async (...version) => (await rotation)(...version);
  const operations = secretOperations({ ...store, rotate });
  return { rotateWith, ...(await serveAwsJson('secretsmanager', operations, accessKeyId)) };
}

/** The operations; a change is on the disk before its answer. */
export function secretOperations({ file, region, rotate }: Store): Operations {
  const secrets: Record<string, Secret> = (file && readJson(file)) || {};
  const rotations = new Map<string, Promise<void>>();

  const find = ({ SecretId: id }: Parameters): Secret => {
    const secret = Object.values(secrets).find(({ name, arn }) => id === name || id === arn);
    if (!secret) throw notFound('secret');
    return secret;
  };
  const save = (secret: Secret) => {
    // A version without a stage does not sign any more.
    for (const [id, { stages }] of Object.entries(secret.versions))
      if (stages.length === 0) delete secret.versions[id];
    if (file) writeJson(file, secrets);
  };

  const operations: Readonly<Record<string, (input: Parameters) => object | Promise<object>>> = {
    CreateSecret({ Name: name, SecretString: text, ClientRequestToken: id }) {
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
      const { text, stages, created } = secret.versions[id] as Version;
      const version = { VersionId: id, VersionStages: stages, CreatedDate: created / 1000 };
      return { ...named(secret), ...version, SecretString: text };
    },

    PutSecretValue(input) {
      const { SecretString: text, ClientRequestToken: id, VersionStages: stages = ['AWSCURRENT'] } = input;
      const secret = find(input);
      const known = secret.versions[id];
      if (known && known.text !== text) throw exists(`Version ${id} exists with another value.`);
      secret.versions[id] ??= { text, created: Date.now(), stages: [] };
      for (const stage of stages) attach(secret, stage, id);
      save(secret);
      return { ...named(secret), VersionId: id, VersionStages: secret.versions[id]?.stages };
    },

    DescribeSecret(input) {
      const secret = find(input);
      const stages = Object.entries(secret.versions).map(([id, version]) => [id, version.stages]);
      return { ...named(secret), VersionIdsToStages: Object.fromEntries(stages) };
    },

    UpdateSecretVersionStage(input) {
      const { VersionStage: stage = '', MoveToVersionId: target, RemoveFromVersionId: removed } = input;
      const secret = find(input);
      const attached = versionAt(secret, stage);
      if (![undefined, target, removed].includes(attached))
        throw new ServiceError(
          'InvalidParameterException',
          `Staging label ${stage} is currently attached to version ${attached}, so you must reference that version in RemoveFromVersionId.`,
        );
      if (target !== undefined && !secret.versions[target]) throw notFound(`secret version: ${target}`);
      attach(secret, stage, target);
      save(secret);
      return named(secret);
    },

    /** Unlike in the cloud, the answer comes after the rotation. As there, a pending version prevents another one. */
    async RotateSecret(input) {
      const [secret, id] = [find(input), input.ClientRequestToken];
      const pending = versionAt(secret, 'AWSPENDING');
      // The SDK repeats a request whose answer is late: its token names the same rotation.
      if (!rotations.has(id) && pending !== undefined && pending !== versionAt(secret, 'AWSCURRENT'))
        throw invalidRequest("A previous rotation isn't complete. That rotation will be reattempted.");
      const rotation = rotations.get(id) ?? rotate(secret.arn, id);
      rotations.set(id, rotation);
      await rotation.catch((error: Error) => {
        throw invalidRequest(`The rotation failed: ${error.message}`);
      });
      return { ...named(secret), VersionId: id };
    },
  };
  return operations as unknown as Operations;
}

/** The version that an input names: by id, by stage, or the current one. */
function versionOf(secret: Secret, { VersionId, VersionStage }: Parameters): string {
  const stage = VersionStage ?? (VersionId === undefined ? 'AWSCURRENT' : undefined);
  const id = stage === undefined ? VersionId : versionAt(secret, stage);
  if (id === undefined || id !== (VersionId ?? id) || !secret.versions[id])
    throw notFound(`secret value for ${stage ? `staging label: ${stage}` : `VersionId: ${VersionId}`}`);
  return id;
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
