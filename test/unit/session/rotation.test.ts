import { randomUUID } from 'node:crypto';
import { calculateJwkThumbprint, type JWK } from 'jose';
import { expect, test } from 'vitest';
import { revokeKey } from '#lib/session/publish-key';
import { ROTATION_STEPS, type RotationStep } from '#lib/session/rotation';
import { assign } from '#lib/table/expressions';
import { publicKeyItemKey } from '#lib/table/keys';
import { update } from '#lib/table/write';
import { ServiceError } from '../../../infra/local/machine/serve-aws.ts';
import { DOWN } from '../../wire/dynamodb-proxy.ts';
import { NOON } from '../support/engine.ts';
import { auditLines } from '../support/log-lines.ts';
import { openKeyRing } from './key-ring.ts';

const ring = await openKeyRing();
const { table, wire, clock, operations, secrets } = ring;
const { rotate, step, publicKey, publicKeys, privateKey } = ring;
const lines = auditLines();
const SECONDS = NOON / 1000;

const stages = () => secrets.stagesOf(ring.secretId());

test('a rotation has the four steps of Secrets Manager, and fails at any other', async () => {
  expect(ROTATION_STEPS).toEqual(['createSecret', 'setSecret', 'testSecret', 'finishSecret']);
  await expect(step('deleteSecret' as RotationStep, randomUUID())).rejects.toThrow('Unknown step');
  expect([secrets.operations(), operations()]).toEqual([[], []]);
});

test('createSecret stores a pending private key under its thumbprint, once', async () => {
  const { version } = await rotate('createSecret');
  const key = await privateKey(version);
  const number = expect.stringMatching(/^[\w-]{43}$/);
  const kid = await calculateJwkThumbprint(key as JWK);
  const numbers = { x: number, y: number, d: number };
  expect(key).toEqual({ kty: 'EC', crv: 'P-256', ...numbers, kid, alg: 'ES256', use: 'sig' });
  expect((await stages())[version]).toEqual(['AWSPENDING']);
  expect(await secrets.textOf(ring.secretId())).toBe('none');
  expect(operations()).toEqual([]);
  await step('createSecret', version);
  expect(await privateKey(version)).toEqual(key);
  expect(secrets.operations().filter((call) => call === 'PutSecretValue')).toHaveLength(1);
});

test('createSecret creates no key when the store cannot report whether there is one', async () => {
  secrets.script((operation) => {
    if (operation === 'GetSecretValue') throw new ServiceError('AccessDeniedException', 'No');
    return undefined;
  });
  await expect(step('createSecret', randomUUID())).rejects.toMatchObject({ name: 'AccessDeniedException' });
  expect(secrets.operations()).toEqual(['GetSecretValue']);
});

test.each(['setSecret', 'testSecret', 'finishSecret'] as const)(
  '%s fails and changes nothing without its pending key, even while another rotation has one',
  async (each) => {
    const current = await rotate();
    for (const prepare of [async () => undefined, () => rotate('createSecret')]) {
      await prepare();
      const before = await stages();
      wire.reset();
      await expect(step(each, randomUUID())).rejects.toThrow('The secret has no pending signing key');
      expect(await stages()).toEqual(before);
      expect(before[current.version]).toContain('AWSCURRENT');
      expect(operations()).toEqual([]);
    }
  },
);

test('a step reads its own version, and only while that is pending', async () => {
  await expect(step('finishSecret', 'v1')).rejects.toThrow();
  // AWS keeps a version that has lost its stages, while a local instance removes it.
  const input = { SecretId: ring.secretId(), VersionId: 'v1', VersionStage: 'AWSPENDING' };
  expect(secrets.calls.filter(({ operation }) => operation === 'GetSecretValue')).toEqual([
    { operation: 'GetSecretValue', input },
  ]);
});

test('setSecret publishes the public half of the key only, and keeps the time of its first publication', async () => {
  const { version, kid } = await rotate('setSecret');
  const { d: _, ...jwk } = { d: '', ...(await privateKey(version)) };
  const secret_id = expect.stringMatching(/^arn:aws:secretsmanager:/);
  const item = { ...publicKeyItemKey(kid), jwk, published_at: SECONDS, secret_id, secret_version: version };
  expect(await publicKeys()).toEqual([item]);
  clock.time = NOON + 60_000;
  await step('setSecret', version);
  expect(await publicKeys()).toEqual([item]);
});

test('setSecret fails when the key was revoked, and leaves it revoked', async () => {
  const { version, kid } = await rotate('setSecret');
  await revokeKey(table, kid, NOON);
  await expect(step('setSecret', version)).rejects.toThrow('The pending signing key was revoked');
  expect(await publicKey(kid)).toMatchObject({ revoked_at: SECONDS, expires_at: 0 });
});

test.each<[string, (kid: string) => Promise<unknown>]>([
  ['is not published', (kid) => ring.removeKey(kid)],
  [
    'is published with the half of another key',
    async (kid) => ring.publish({ jwk: { ...(await ring.publish()).publicJwk, kid } }),
  ],
  [
    'has expired',
    async (kid) => ring.publish({ jwk: { kid, ...(await publicKey(kid))?.jwk }, expires_at: SECONDS }),
  ],
])('testSecret fails when the key %s', async (_name, change) => {
  const { version, kid } = await rotate('setSecret');
  await change(kid);
  await expect(step('testSecret', version)).rejects.toMatchObject({ code: 'unauthenticated' });
});

test('finishSecret lets the current key sign on before another is current', async () => {
  const first = await rotate();
  const { version } = await rotate('testSecret');
  secrets.script((operation, { VersionStage }) => {
    if (operation === 'UpdateSecretVersionStage' && VersionStage === 'AWSCURRENT')
      throw new ServiceError('InvalidRequestException', 'No');
    return undefined;
  });
  await expect(step('finishSecret', version)).rejects.toMatchObject({ name: 'InvalidRequestException' });
  expect((await stages())[first.version]).toEqual(['AWSCURRENT', 'SIGNING']);
});

test('finishSecret writes an audit line each time, and moves each stage once', async () => {
  await rotate();
  const { version, kid } = await rotate();
  const action = { action: 'keys.rotate-signing-key', target: kid, outcome: 'ok', changed: true };
  const rest = { credential: null, details: { kid }, source: null, requestId: version };
  const line = { level: 'audit', actor: 'secrets-manager', ...action, ...rest };
  expect(lines.slice(1)).toEqual([line]);
  await step('finishSecret', version);
  expect(lines.slice(1)).toEqual([line, { ...line, changed: false }]);
  expect(secrets.operations().filter((call) => call === 'UpdateSecretVersionStage')).toHaveLength(3);
});

test('finishSecret moves no stage when the store does not report the current version', async () => {
  const { version } = await rotate('testSecret');
  secrets.script((operation) => (operation === 'DescribeSecret' ? { Name: ring.secretId() } : undefined));
  await expect(step('finishSecret', version)).rejects.toMatchObject({ name: 'InvalidParameterException' });
  expect(await secrets.textOf(ring.secretId())).toBe('none');
});

test('finishSecret retires the other keys when it is repeated after an outage of the table', async () => {
  // The stage SIGNING stays on the first key.
  const keys = [await rotate(), await rotate()];
  // Keys that an earlier version stored.
  const earlier = assign({ secret_id: undefined, expires_at: undefined }, {});
  for (const { kid } of keys) await update(table, { Key: publicKeyItemKey(kid), ...earlier });
  const { version } = await rotate('testSecret');
  wire.script((operation) => (operation === 'UpdateItem' ? DOWN : undefined));
  await expect(step('finishSecret', version)).rejects.toMatchObject({ name: 'InternalServerError' });
  wire.reset();
  for (const { kid } of keys) expect(await publicKey(kid)).not.toHaveProperty('expires_at');
  await step('finishSecret', version);
  for (const { kid } of keys) expect(await publicKey(kid)).toHaveProperty('expires_at');
});
