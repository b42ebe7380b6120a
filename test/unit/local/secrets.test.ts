import { mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Operations } from '#infra/local/services/aws-json';
import { secretOperations } from '#infra/local/services/secrets-manager';

const SecretId = 'signing-key';
const rotations: string[][] = [];
let file: string;
let secrets: Operations;

const rotate = async (...rotation: string[]) => void rotations.push(rotation);
const open = () => secretOperations({ file, region: 'eu-west-1', rotate });
const call = async (operation: string, input: Record<string, unknown>) =>
  (await secrets[operation]?.(input)) as Record<string, unknown>;
const stages = async () => (await call('DescribeSecret', { SecretId }))['VersionIdsToStages'];
const put = (ClientRequestToken: string, SecretString: string, ...VersionStages: string[]) =>
  call('PutSecretValue', { SecretId, ClientRequestToken, SecretString, VersionStages });

beforeEach(async () => {
  rotations.length = 0;
  file = join(mkdtempSync(join(tmpdir(), 'secrets-')), 'secrets.json');
  secrets = open();
  await call('CreateSecret', { Name: SecretId, ClientRequestToken: 'v1', SecretString: 'one' });
});

describe('Secrets Manager', () => {
  test('answers the current version, by name and by ARN', async () => {
    const { ARN } = await call('DescribeSecret', { SecretId });
    expect(await call('GetSecretValue', { SecretId: ARN })).toMatchObject({
      Name: SecretId,
      VersionId: 'v1',
      SecretString: 'one',
      VersionStages: ['AWSCURRENT'],
    });
  });

  test('creates a name once, and the same request again is no error', async () => {
    await call('CreateSecret', { Name: SecretId, ClientRequestToken: 'v1', SecretString: 'one' });
    const again = call('CreateSecret', { Name: SecretId, ClientRequestToken: 'v2', SecretString: 'one' });
    await expect(again).rejects.toMatchObject({ name: 'ResourceExistsException' });
  });

  test.each([
    [{ SecretId: 'other' }],
    [{ SecretId, VersionId: 'v9' }],
    [{ SecretId, VersionStage: 'AWSPENDING' }],
    [{ SecretId, VersionId: 'v9', VersionStage: 'AWSCURRENT' }],
  ])('finds nothing for %j', async (input) => {
    const found = call('GetSecretValue', input);
    await expect(found).rejects.toMatchObject({ name: 'ResourceNotFoundException', status: 400 });
  });

  test('puts a version once, and the same request again changes nothing', async () => {
    await put('v2', 'two', 'AWSPENDING');
    await put('v2', 'two', 'AWSPENDING');
    await expect(put('v2', 'three', 'AWSPENDING')).rejects.toMatchObject({ name: 'ResourceExistsException' });
    expect(await stages()).toEqual({ v1: ['AWSCURRENT'], v2: ['AWSPENDING'] });
  });

  test('moves a stage only where the request names who has it, and keeps the version before', async () => {
    await put('v2', 'two', 'AWSPENDING');
    const move = { SecretId, VersionStage: 'AWSCURRENT', MoveToVersionId: 'v2' };
    await expect(call('UpdateSecretVersionStage', move)).rejects.toMatchObject({
      name: 'InvalidParameterException',
    });
    await call('UpdateSecretVersionStage', { ...move, RemoveFromVersionId: 'v1' });
    expect(await stages()).toEqual({ v1: ['AWSPREVIOUS'], v2: ['AWSPENDING', 'AWSCURRENT'] });
  });

  test('forgets a version that no stage is left on', async () => {
    await put('v2', 'two', 'AWSCURRENT');
    await put('v3', 'three', 'AWSCURRENT');
    expect(await stages()).toEqual({ v2: ['AWSPREVIOUS'], v3: ['AWSCURRENT'] });
  });

  test('rotates with the token of the request', async () => {
    const { ARN } = await call('RotateSecret', { SecretId, ClientRequestToken: 'v2' });
    expect(rotations).toEqual([[ARN, 'v2']]);
  });

  test('starts no rotation while a version is pending that is not current, until its stage is taken away', async () => {
    await put('v2', 'two', 'AWSPENDING');
    const rotate = () => call('RotateSecret', { SecretId, ClientRequestToken: 'v3' });
    await expect(rotate()).rejects.toMatchObject({ name: 'InvalidRequestException', status: 400 });
    expect(rotations).toEqual([]);
    const move = { SecretId, VersionStage: 'AWSPENDING', RemoveFromVersionId: 'v2' };
    await call('UpdateSecretVersionStage', move);
    expect(await rotate()).toMatchObject({ VersionId: 'v3' });
  });

  test('takes the same request again, while the first is under way, for the same rotation', async () => {
    const rotate = () => call('RotateSecret', { SecretId, ClientRequestToken: 'v2' });
    const first = rotate();
    await put('v2', 'two', 'AWSPENDING');
    expect([await first, await rotate().catch(({ name }) => name)]).toEqual([
      expect.objectContaining({ VersionId: 'v2' }),
      'InvalidRequestException',
    ]);
    await call('UpdateSecretVersionStage', {
      SecretId,
      VersionStage: 'AWSPENDING',
      RemoveFromVersionId: 'v2',
    });
    rotations.length = 0;
    await Promise.all([rotate(), rotate()]);
    expect(rotations).toHaveLength(1);
  });

  test('starts a rotation where the stage has stayed on the version that is current', async () => {
    await put('v2', 'two', 'AWSPENDING', 'AWSCURRENT');
    await call('RotateSecret', { SecretId, ClientRequestToken: 'v3' });
    expect(rotations).toHaveLength(1);
  });

  test('keeps what it acknowledged in a file that only its owner reads', async () => {
    await put('v2', 'two', 'AWSPENDING');
    secrets = open();
    expect(await stages()).toEqual({ v1: ['AWSCURRENT'], v2: ['AWSPENDING'] });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});
