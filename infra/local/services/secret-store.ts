import { isDeepStrictEqual } from 'node:util';
import { readJson, writeJson } from '../machine/durable-file.ts';
import { ACCOUNT_ID } from '../machine/resource-names.ts';
import { ServiceError } from '../machine/service-error.ts';

export interface SecretVersion {
  readonly text: string;
  readonly created: number;
  stages: readonly string[];
}

export interface Secret {
  readonly name: string;
  readonly arn: string;
  readonly created: number;
  changed: number;
  /** By id: the client request token of the call that made the version. */
  readonly versions: Record<string, SecretVersion>;
}

export interface SecretStore {
  /** @throws ServiceError `ResourceNotFoundException` */
  read(id: string): Secret;
  /** @throws ServiceError `ResourceExistsException` where it has another text */
  create(name: string, versionId: string, text: string): Secret;
  /** @throws ServiceError `ResourceExistsException` where the version has another text */
  putVersion(id: string, versionId: string, text: string, stages: readonly string[]): Secret;
  /** Attaches a stage to a version, or to none. */
  moveStage(id: string, stage: string, versionId: string | undefined): Secret;
}

/**
 * Secrets and their versions; a change is on the disk when it is answered.
 *
 * @param file in memory only where there is none
 */
export function openSecretStore(file: string | undefined, region: string, now = Date.now): SecretStore {
  const secrets: Record<string, Secret> = (file && readJson(file)) || {};
  const save = (secret: Secret) => {
    // A private key that nothing asks for by its stage is of no more use.
    for (const [id, { stages }] of Object.entries(secret.versions))
      if (stages.length === 0) delete secret.versions[id];
    secret.changed = now();
    if (file) writeJson(file, secrets);
    return secret;
  };
  const read = (id: string) => {
    const secret = Object.values(secrets).find(({ name, arn }) => id === name || id === arn);
    if (!secret) throw notFound("Secrets Manager can't find the specified secret.");
    return secret;
  };

  return {
    read,
    create(name, versionId, text) {
      const known = secrets[name];
      if (known) {
        if (known.versions[versionId]?.text === text) return known;
        throw new ServiceError('ResourceExistsException', `The secret ${name} already exists.`);
      }
      const arn = `arn:aws:secretsmanager:${region}:${ACCOUNT_ID}:secret:${name}-local0`;
      const versions = { [versionId]: { text, created: now(), stages: ['AWSCURRENT'] } };
      const secret = { name, arn, created: now(), changed: now(), versions };
      secrets[name] = secret;
      return save(secret);
    },
    putVersion(id, versionId, text, stages) {
      const secret = read(id);
      const known = secret.versions[versionId];
      if (known && known.text !== text)
        throw new ServiceError('ResourceExistsException', `Version ${versionId} exists with another value.`);
      if (known && isDeepStrictEqual(known.stages, stages)) return secret;
      secret.versions[versionId] ??= { text, created: now(), stages: [] };
      for (const stage of stages) attach(secret, stage, versionId);
      return save(secret);
    },
    moveStage(id, stage, versionId) {
      const secret = read(id);
      if (versionId !== undefined && !secret.versions[versionId])
        throw notFound(`Secrets Manager can't find the specified secret version: ${versionId}.`);
      attach(secret, stage, versionId);
      return save(secret);
    },
  };
}

export const notFound = (message: string) => new ServiceError('ResourceNotFoundException', message);

/** The version that a stage is attached to: at most one. */
export const versionAt = ({ versions }: Secret, stage: string) =>
  Object.keys(versions).find((id) => versions[id]?.stages.includes(stage));

/** The version that loses `AWSCURRENT` becomes `AWSPREVIOUS`. */
function attach(secret: Secret, stage: string, versionId: string | undefined): void {
  const before = versionAt(secret, stage);
  if (before === versionId) return;
  if (stage === 'AWSCURRENT') attach(secret, 'AWSPREVIOUS', before);
  for (const [id, version] of Object.entries(secret.versions)) {
    const others = version.stages.filter((each) => each !== stage);
    version.stages = id === versionId ? [...others, stage] : others;
  }
}
