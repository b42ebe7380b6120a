import { randomUUID } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { PublicKeyItem } from '#lib/item/instance';
import { type PrivateKey, parsePrivateKey } from '#lib/session/key-version';
import { cachedPublicKeys } from '#lib/session/public-keys';
import { revokeKey } from '#lib/session/publish-key';
import { ROTATION_STEPS, type RotationStep, takeRotationStep } from '#lib/session/rotation';
import { signSession, verifySession } from '#lib/session/session-token';
import { signingKeyFromSecret } from '#lib/session/signing-key';

import { allPublicKeys, cursorSecretKey, publicKeyItemKey } from '#lib/table/keys';
import { get, query } from '#lib/table/read';
import { put, remove } from '#lib/table/write';
import { ServiceError } from '../../../infra/local/machine/service-error.ts';
import { DOWN } from '../../wire/dynamodb-proxy.ts';
import { NOON, openTestTable } from '../support/engine.ts';
import { auditLines } from '../support/log-lines.ts';
import { openTestSecrets } from '../support/secrets.ts';
import { newKeyPair } from '../support/signing-keys.ts';

const { table, wire, clock, runtime, operations } = await openTestTable();
const secrets = await openTestSecrets();
const lines = auditLines();
const rotation = { ...runtime, secrets: secrets.client };

let SecretId: string;
beforeEach(async () => {
  SecretId = await secrets.create('none');
  for (const { jwk } of await published()) await remove(table, publicKeyItemKey(jwk.kid));
  await remove(table, cursorSecretKey);
  wire.reset();
});

const published = () => query(table, allPublicKeys);
const publicKey = (kid: string) => get(table, publicKeyItemKey(kid));
const step = (Step: RotationStep, ClientRequestToken: string) =>
  takeRotationStep(rotation, { SecretId, ClientRequestToken, Step });
const keyOf = async (version: string) =>
  parsePrivateKey(await secrets.textOf(SecretId, version)) as PrivateKey;

/** A rotation up to a step and with it; resolves to the version of the secret. */
async function rotate({ through = 'finishSecret' as RotationStep, version = randomUUID() as string } = {}) {
  for (const each of ROTATION_STEPS.slice(0, ROTATION_STEPS.indexOf(through) + 1)) await step(each, version);
  return version;
}

test('a rotation has four steps, in the order of Secrets Manager', () => {
  expect(ROTATION_STEPS).toEqual(['createSecret', 'setSecret', 'testSecret', 'finishSecret']);
});

test('a step that is unknown fails and changes nothing', async () => {
  await expect(step('deleteSecret' as RotationStep, randomUUID())).rejects.toThrow('Unknown step');
  expect([secrets.calls, operations()]).toEqual([[], []]);
});

test('the first rotation makes a key that signs, and a session that it signs verifies', async () => {
  const version = await rotate();
  vi.stubEnv('SIGNING_KEY_SECRET_ID', SecretId);
  const session = { sub: 'id', name: 'ada', sst: 'stamp' };
  const key = await signingKeyFromSecret(runtime)();
  const token = await signSession(runtime, key, session, NOON / 1000, 60);
  expect(await verifySession(runtime, token, cachedPublicKeys(table, clock))).toMatchObject(session);
  expect(key.kid).toBe((await keyOf(version)).kid);
});

test('the steps of a rotation may each be taken twice', async () => {
  const first = await rotate();
  const second = randomUUID();
  for (const each of ROTATION_STEPS) {
    await step(each, second);
    await step(each, second);
  }
  const { kid } = await keyOf(second);
  expect(kid).not.toBe((await keyOf(first)).kid);
  expect((await secrets.stagesOf(SecretId))[second]).toEqual(['AWSPENDING', 'AWSCURRENT']);
  expect((await published()).filter(({ expires_at }) => expires_at === undefined)).toHaveLength(1);
});

describe('createSecret', () => {
  test('puts a private key under its thumbprint, pending', async () => {
    const version = await rotate({ through: 'createSecret' });
    const key = await keyOf(version);
    expect(key).toEqual({
      kty: 'EC',
      crv: 'P-256',
      x: expect.stringMatching(/^[\w-]{43}$/),
      y: expect.stringMatching(/^[\w-]{43}$/),
      d: expect.stringMatching(/^[\w-]{43}$/),
      kid: await calculateJwkThumbprint(key),
      alg: 'ES256',
      use: 'sig',
    });
    expect((await secrets.stagesOf(SecretId))[version]).toEqual(['AWSPENDING']);
    expect(await secrets.textOf(SecretId)).toBe('none');
    expect(operations()).toEqual([]);
  });

  test('keeps the key that is pending already', async () => {
    const version = await rotate({ through: 'createSecret' });
    const before = await secrets.textOf(SecretId, version);
    await step('createSecret', version);
    expect(await secrets.textOf(SecretId, version)).toBe(before);
    expect(secrets.calls.filter((call) => call === 'PutSecretValue')).toHaveLength(1);
  });

  test('makes no key where the store cannot say whether there is one', async () => {
    secrets.script((operation) => {
      if (operation === 'GetSecretValue') throw new ServiceError('AccessDeniedException', 'No');
      return undefined;
    });
    await expect(step('createSecret', randomUUID())).rejects.toMatchObject({ name: 'AccessDeniedException' });
    expect(secrets.calls).toEqual(['GetSecretValue']);
  });
});

describe.each(['setSecret', 'testSecret', 'finishSecret'] as const)('%s without its pending key', (each) => {
  test.each<[string, (version: string) => Promise<unknown>]>([
    ['that was never made', async () => undefined],
    [
      'that another rotation has made',
      async () => {
        await rotate({ through: 'createSecret' });
      },
    ],
  ])('%s fails and changes nothing', async (_name, before) => {
    const current = await rotate();
    const version = randomUUID();
    await before(version);
    const stages = await secrets.stagesOf(SecretId);
    wire.reset();
    await expect(step(each, version)).rejects.toThrow('The secret has no pending signing key');
    expect(await secrets.stagesOf(SecretId)).toEqual(stages);
    expect(stages[current]).toContain('AWSCURRENT');
    expect(operations()).toEqual([]);
  });
});

describe('setSecret', () => {
  test('publishes the public half of the key, and nothing of the private one', async () => {
    const version = await rotate({ through: 'setSecret' });
    const { d: _, ...jwk } = await keyOf(version);
    expect(await published()).toEqual([
      {
        ...publicKeyItemKey(jwk.kid),
        jwk,
        published_at: NOON / 1000,
        secret_id: expect.stringMatching(/^arn:aws:secretsmanager:/),
        secret_version: version,
      },
    ]);
  });

  test('leaves a key that is published as it stands: it is known since the first time', async () => {
    const version = await rotate({ through: 'setSecret' });
    const before = await published();
    clock.time = NOON + 60_000;
    await step('setSecret', version);
    expect(await published()).toEqual(before);
  });

  test('fails where the key was revoked meanwhile, and leaves it revoked', async () => {
    const version = await rotate({ through: 'setSecret' });
    const { kid } = await keyOf(version);
    await revokeKey(table, kid, NOON);
    await expect(step('setSecret', version)).rejects.toThrow('The pending signing key was revoked');
    expect(await publicKey(kid)).toMatchObject({ revoked_at: NOON / 1000, expires_at: 0 });
  });

  test('makes the secret of cursors of 32 random bytes, once for all rotations', async () => {
    const bytes: number[] = [];
    let drawn = 0;
    const random = (n: number) => {
      bytes.push(n);
      drawn += 1;
      return new Uint8Array(n).fill(drawn);
    };
    for (let rotated = 0; rotated < 2; rotated++) {
      const version = await rotate({ through: 'createSecret' });
      await takeRotationStep(
        { ...rotation, random },
        { SecretId, ClientRequestToken: version, Step: 'setSecret' },
      );
    }
    expect(bytes[0]).toBe(32);
    expect(await get(table, cursorSecretKey)).toMatchObject({
      secret: Buffer.alloc(32, 1).toString('base64url'),
    });
  });
});

describe('testSecret', () => {
  test('fails where the key is not published', async () => {
    const version = await rotate({ through: 'createSecret' });
    await expect(step('testSecret', version)).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  test('fails where another key is published under its id', async () => {
    const version = await rotate({ through: 'createSecret' });
    const { kid } = await keyOf(version);
    const other = await newKeyPair();
    await put(table, publicKeyItemKey(kid), { jwk: { ...other.publicJwk, kid } });
    await expect(step('testSecret', version)).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  test('fails where the public key verifies no more', async () => {
    const version = await rotate({ through: 'setSecret' });
    const { kid } = await keyOf(version);
    const { jwk } = (await publicKey(kid)) as PublicKeyItem;
    await put(table, publicKeyItemKey(kid), { jwk, expires_at: NOON / 1000 });
    await expect(step('testSecret', version)).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  test('leaves the current key and the table as they are', async () => {
    const version = await rotate({ through: 'setSecret' });
    const before = [await secrets.stagesOf(SecretId), await published()];
    wire.reset();
    await step('testSecret', version);
    expect(operations()).toEqual(['Query']);
    expect([await secrets.stagesOf(SecretId), await published()]).toEqual(before);
  });
});

describe('finishSecret', () => {
  test('makes the pending key current, and the current one the previous', async () => {
    const [first, second] = [await rotate(), await rotate()];
    const stages = await secrets.stagesOf(SecretId);
    expect(stages).toEqual({ [first]: ['SIGNING', 'AWSPREVIOUS'], [second]: ['AWSPENDING', 'AWSCURRENT'] });
    expect(await secrets.textOf(SecretId)).toBe(JSON.stringify(await keyOf(second)));
  });

  test('is written to the audit log, by what rotates keys, with the key and the version', async () => {
    const version = await rotate();
    const { kid } = await keyOf(version);
    const line = {
      level: 'audit',
      actor: 'secrets-manager',
      action: 'keys.rotate-signing-key',
      target: kid,
      outcome: 'ok',
      changed: true,
      source: null,
      requestId: version,
    };
    expect(lines).toEqual([line]);
    await step('finishSecret', version);
    expect(lines).toEqual([line, { ...line, changed: false }]);
  });

  test('moves the stage once, though it is taken again', async () => {
    const version = await rotate();
    await step('finishSecret', version);
    expect(secrets.calls.filter((call) => call === 'UpdateSecretVersionStage')).toHaveLength(1);
  });

  test('moves no stage where the store does not say which version is current', async () => {
    const version = await rotate({ through: 'testSecret' });
    secrets.script((operation) => (operation === 'DescribeSecret' ? { Name: SecretId } : undefined));
    await expect(step('finishSecret', version)).rejects.toMatchObject({ name: 'InvalidParameterException' });
    expect(await secrets.textOf(SecretId)).toBe('none');
  });

  test('retires the other keys once it is taken again, where the table was down the first time', async () => {
    const first = await keyOf(await rotate());
    const version = await rotate({ through: 'testSecret' });
    wire.script(() => DOWN);
    await expect(step('finishSecret', version)).rejects.toMatchObject({ name: 'InternalServerError' });
    wire.reset();
    expect(await publicKey(first.kid)).not.toHaveProperty('expires_at');
    await step('finishSecret', version);
    expect(await publicKey(first.kid)).toHaveProperty('expires_at');
  });
});
