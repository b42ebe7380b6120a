import { statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { Operations } from '#infra/local/machine/serve-aws';
import { secretOperations } from '#infra/local/services/secrets-manager';
import { newFolder } from '../support/folder.ts';

const SecretId = 'signing-key';
let rotations: string[][];
let file: string;
let secrets: Operations;

let duringRotation: () => Promise<void>;
const rotate = async (...rotation: string[]) => {
  rotations.push(rotation);
  await duringRotation();
};
const open = () => secretOperations({ file, region: 'eu-west-1', rotate });
const call = async (operation: string, input: object = {}) =>
  (await secrets[operation]?.({ SecretId, ...input })) as Record<string, unknown>;
const stages = async () => (await call('DescribeSecret'))['VersionIdsToStages'];
const create = (ClientRequestToken: string) =>
  call('CreateSecret', { Name: SecretId, ClientRequestToken, SecretString: 'one' });
const put = (ClientRequestToken: string, SecretString: string, ...VersionStages: string[]) =>
  call('PutSecretValue', { ClientRequestToken, SecretString, VersionStages });
const rotateTo = (ClientRequestToken: string) => call('RotateSecret', { ClientRequestToken });

beforeEach(async () => {
  rotations = [];
  duringRotation = async () => undefined;
  file = join(newFolder(), 'secrets.json');
  secrets = open();
  await create('v1');
});

test('Secrets Manager creates a secret once, and returns it by its ARN as well', async () => {
  const { ARN } = await create('v1');
  const current = { Name: SecretId, VersionId: 'v1', SecretString: 'one', VersionStages: ['AWSCURRENT'] };
  const CreatedDate = expect.closeTo(Date.now() / 1000, -3);
  expect(await call('GetSecretValue', { SecretId: ARN })).toMatchObject({ ...current, CreatedDate });
  await expect(create('v2')).rejects.toMatchObject({ name: 'ResourceExistsException' });
});

test.each([
  [{ SecretId: 'other' }],
  [{ VersionId: 'v9' }],
  [{ VersionStage: 'AWSPENDING' }],
  [{ VersionId: 'v9', VersionStage: 'AWSCURRENT' }],
])('Secrets Manager finds nothing for %j', async (input) => {
  const notFound = { name: 'ResourceNotFoundException', status: 400 };
  await expect(call('GetSecretValue', input)).rejects.toMatchObject(notFound);
});

test('Secrets Manager puts a version once, into a file that only its owner may read', async () => {
  await put('v2', 'two', 'AWSPENDING');
  await put('v2', 'two', 'AWSPENDING');
  await expect(put('v2', 'three', 'AWSPENDING')).rejects.toMatchObject({ name: 'ResourceExistsException' });
  secrets = open();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await stages()).toEqual({ v1: ['AWSCURRENT'], v2: ['AWSPENDING'] });
});

test('Secrets Manager moves a stage only if the request names its version, and keeps the previous version', async () => {
  await put('v2', 'two', 'AWSPENDING');
  const move = { VersionStage: 'AWSCURRENT', MoveToVersionId: 'v2' };
  const invalid = { name: 'InvalidParameterException' };
  await expect(call('UpdateSecretVersionStage', move)).rejects.toMatchObject(invalid);
  await call('UpdateSecretVersionStage', { ...move, RemoveFromVersionId: 'v1' });
  expect(await stages()).toEqual({ v1: ['AWSPREVIOUS'], v2: ['AWSPENDING', 'AWSCURRENT'] });
});

test('Secrets Manager deletes a version without a stage', async () => {
  await put('v2', 'two', 'AWSCURRENT');
  await put('v3', 'three', 'AWSCURRENT');
  expect(await stages()).toEqual({ v2: ['AWSPREVIOUS'], v3: ['AWSCURRENT'] });
});

test('a rotation has the token of the request, and starts although the current version is pending as well', async () => {
  const { ARN } = await put('v2', 'two', 'AWSPENDING', 'AWSCURRENT');
  expect(await rotateTo('v3')).toMatchObject({ VersionId: 'v3' });
  expect(rotations).toEqual([[ARN, 'v3']]);
});

test('a rotation is refused while another version is pending, until that has lost its stage', async () => {
  await put('v2', 'two', 'AWSPENDING');
  const invalid = { name: 'InvalidRequestException', status: 400 };
  await expect(rotateTo('v3')).rejects.toMatchObject(invalid);
  expect(rotations).toEqual([]);
  await call('UpdateSecretVersionStage', { VersionStage: 'AWSPENDING', RemoveFromVersionId: 'v2' });
  expect(await rotateTo('v3')).toMatchObject({ VersionId: 'v3' });
});

test('a rotation is shared by repeated requests with one token', async () => {
  const { promise: done, resolve } = Promise.withResolvers<void>();
  duringRotation = () => done;
  const first = rotateTo('v2');
  await put('v2', 'two', 'AWSPENDING');
  const second = rotateTo('v2');
  resolve();
  expect([await first, await second]).toMatchObject([{ VersionId: 'v2' }, { VersionId: 'v2' }]);
  expect(rotations).toHaveLength(1);
});
