import { randomUUID } from 'node:crypto';
import { calculateJwkThumbprint, type JWK } from 'jose';
import { expect, test, vi } from 'vitest';
import { resourceKeySet } from '#lib/oauth/jwks';
import { RESOURCE_KEYS } from '#lib/resource/key-use';
import { resourceKeyFromSecret } from '#lib/resource/resource-key';
import { MAX_RESOURCE_MINUTES } from '#lib/resource/resources';
import { OF_RESOURCES } from '#lib/resource/rotation';
import { SIGNING } from '#lib/session/key-version';
import { HELD_MS, RESOURCE_LEAD_MS } from '#lib/session/lead';
import { publishKey, revokeKey } from '#lib/session/publish-key';
import { retiredSeconds } from '#lib/session/retire-keys';
import { ROTATION_STEPS } from '#lib/session/rotation';
import { ServiceError } from '../../../infra/local/machine/serve-aws.ts';
import { DOWN } from '../../wire/dynamodb-proxy.ts';
import { openKeyRing } from '../session/key-ring.ts';
import { NOON } from '../support/engine.ts';
import { auditLines } from '../support/log-lines.ts';

vi.mock('jose', async (original) =>
  (await import('../support/pooled-keys.ts')).withPooledKeys(await original()),
);

const ring = await openKeyRing(OF_RESOURCES);
const { table, wire, clock, runtime, secrets, rotate, step, publicKey, publicKeys, privateKey } = ring;
const lines = auditLines();
const SECONDS = NOON / 1000;
const RETIRED_SECONDS = retiredSeconds(RESOURCE_KEYS);

const stages = (SecretId = ring.secretId()) => secrets.stagesOf(SecretId);
const versionAt = async (stage: string, SecretId = ring.secretId()) =>
  Object.entries(await stages(SecretId)).find(([, all]) => all.includes(stage))?.[0] as string;
/** The ID of the key of a stage. */
const kidAt = async (stage: string, SecretId = ring.secretId()) =>
  (await privateKey(await versionAt(stage, SecretId), SecretId))?.kid as string;
/** The keys that sign, and that succeed. */
const both = async (SecretId = ring.secretId()) => [
  await kidAt(SIGNING, SecretId),
  await kidAt('AWSCURRENT', SecretId),
];
const signer = async () => (await resourceKeyFromSecret(runtime)()).kid;
const expiryOf = async (kid: string) => (await publicKey(kid))?.expires_at;
const revoke = (kid: string) => revokeKey(table, kid, clock.time, RESOURCE_KEYS);
const created = () => secrets.operations().filter((call) => call === 'PutSecretValue').length;

/** Fails the call of that number to an operation of the secret store. */
function failAt(number: number, failing: string) {
  let calls = 0;
  secrets.script((operation) => {
    if (operation === failing && ++calls === number) throw new ServiceError('InvalidRequestException', 'No');
    return undefined;
  });
}

test('createSecret stores two RSA keys of 2048 bits at first, the one that signs and the pending one, once', async () => {
  const { version } = await rotate('createSecret');
  const signing = await versionAt(SIGNING);
  expect(signing).not.toBe(version);
  expect((await stages())[version]).toEqual(['AWSPENDING']);
  for (const each of [version, signing]) {
    const key = (await privateKey(each)) as JWK;
    expect(key).toMatchObject({ kty: 'RSA', e: 'AQAB', alg: 'RS256', use: 'sig' });
    expect(Buffer.from(key.n as string, 'base64url')).toHaveLength(256);
    expect(key.kid).toBe(await calculateJwkThumbprint(key));
  }
  await step('createSecret', version);
  expect(created()).toBe(2);
  expect(ring.operations().filter((operation) => operation !== 'Query')).toEqual([]);
});

test('createSecret keeps the key that signs when it is repeated after a failure between both keys', async () => {
  const version = randomUUID();
  failAt(2, 'PutSecretValue');
  await expect(step('createSecret', version)).rejects.toMatchObject({ name: 'InvalidRequestException' });
  secrets.script(() => undefined);
  const signing = await kidAt(SIGNING);
  await step('createSecret', version);
  expect(await kidAt(SIGNING)).toBe(signing);
  expect(await versionAt('AWSPENDING')).toBe(version);
  expect(created()).toBe(3);
});

test('the first rotation publishes both keys, of which the first signs at once', async () => {
  const { kid } = await rotate();
  const [signing, successor] = await both();
  expect(successor).toBe(kid);
  expect(await signer()).toBe(signing);
  expect((await publicKeys()).map(({ jwk }) => jwk.kid).sort()).toEqual([signing, successor].sort());
  for (const item of await publicKeys()) {
    expect(item).toMatchObject({ published_at: SECONDS, secret_id: expect.stringMatching(/^arn:/) });
    expect(item).not.toHaveProperty('expires_at');
  }
  expect(lines).toMatchObject([{ action: 'keys.rotate-resource-key', target: kid, changed: true }]);
});

test('no private member of a key reaches the table or the set of keys', async () => {
  const { kid } = await rotate();
  const secret = { d: 'x', p: 'x', q: 'x', dp: 'x', dq: 'x', qi: 'x', oth: [{ r: 'x', d: 'x', t: 'x' }] };
  const jwk = { kty: 'RSA', n: 'n', e: 'e', kid: 'three-primes', alg: 'RS256', use: 'sig', ...secret };
  await publishKey(table, { jwk, secret: 'arn', version: 'v' }, NOON, RESOURCE_KEYS);
  const stored = await publicKeys();
  expect(stored.map((item) => item.jwk.kid)).toEqual(expect.arrayContaining([kid, 'three-primes']));
  for (const item of stored)
    expect(Object.keys(item.jwk).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
  const { keys } = (await resourceKeySet(runtime)).data;
  expect(keys).toHaveLength(3);
  for (const key of keys) expect(Object.keys(key).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
});

test('a rotation lets the successor sign, once gateways know it, and retires the former key until its last token expires', async () => {
  expect(RETIRED_SECONDS).toBe((RESOURCE_LEAD_MS + HELD_MS) / 1000 + MAX_RESOURCE_MINUTES * 60 + 60);
  await rotate();
  const [first, second] = (await both()) as [string, string];
  clock.time = NOON + RESOURCE_LEAD_MS;
  const third = await rotate();
  expect(await both()).toEqual([second, third.kid]);
  expect(await signer()).toBe(second);
  expect(await expiryOf(first)).toBe(clock.time / 1000 + RETIRED_SECONDS);
  for (const kid of [second, third.kid]) expect(await expiryOf(kid)).toBeUndefined();
});

test('a second rotation promotes no key that gateways may lack, and retires the successor that never signed', async () => {
  await rotate();
  const [signing, unused] = (await both()) as [string, string];
  clock.time = NOON + RESOURCE_LEAD_MS - 1000;
  const { kid } = await rotate();
  expect(await both()).toEqual([signing, kid]);
  expect(await signer()).toBe(signing);
  expect(await expiryOf(signing)).toBeUndefined();
  expect(await expiryOf(unused)).toBe(Math.floor(clock.time / 1000) + RETIRED_SECONDS);
});

test.each([
  ['at once', 0],
  ['hours later, when gateways know the new key', 2 * RESOURCE_LEAD_MS],
])('every step changes neither keys nor stages when it is repeated %s', async (_when, wait) => {
  const state = async () => ({
    stages: await both(),
    // An expired one is removed.
    keys: (await publicKeys()).filter(({ expires_at }) => expires_at === undefined),
  });
  await rotate();
  clock.time += RESOURCE_LEAD_MS;
  const { version } = await rotate();
  const before = await state();
  clock.time += wait;
  for (const each of ROTATION_STEPS) await step(each, version);
  expect(await state()).toEqual(before);
  expect(before.keys).toHaveLength(2);
});

test('finishSecret completes its work when it is repeated hours after an outage of the table', async () => {
  await rotate();
  const [first, second] = (await both()) as [string, string];
  clock.time += RESOURCE_LEAD_MS;
  const { version, kid } = await rotate('testSecret');
  wire.script((operation) => (operation === 'UpdateItem' ? DOWN : undefined));
  await expect(step('finishSecret', version)).rejects.toMatchObject({ name: 'InternalServerError' });
  wire.reset();
  expect(await expiryOf(first)).toBeUndefined();
  clock.time += 2 * RESOURCE_LEAD_MS;
  await step('finishSecret', version);
  expect(await both()).toEqual([second, kid]);
  expect(await expiryOf(first)).toBe(clock.time / 1000 + RETIRED_SECONDS);
});

test('finishSecret goes on with the same keys when it has failed between both stages', async () => {
  await rotate();
  const [, second] = (await both()) as [string, string];
  clock.time += RESOURCE_LEAD_MS;
  const { version, kid } = await rotate('testSecret');
  failAt(2, 'UpdateSecretVersionStage');
  await expect(step('finishSecret', version)).rejects.toMatchObject({ name: 'InvalidRequestException' });
  secrets.script(() => undefined);
  expect(await both()).toEqual([second, second]);
  expect(await signer()).toBe(second);
  await step('finishSecret', version);
  expect(await both()).toEqual([second, kid]);
});

test('a rotation creates one key when one of both was revoked, and the other one signs', async () => {
  for (const at of [0, 1]) {
    await rotate();
    const keys = await both();
    await revoke(keys[at] as string);
    secrets.calls.length = 0;
    const { kid } = await rotate();
    expect(created()).toBe(1);
    expect(await both()).toEqual([keys[1 - at], kid]);
    expect(await signer()).toBe(keys[1 - at]);
  }
});

test('a rotation creates two keys when both were revoked, and the first signs at once', async () => {
  await rotate();
  const revoked = await both();
  for (const kid of revoked) await revoke(kid);
  secrets.calls.length = 0;
  const { kid } = await rotate();
  const [signing, successor] = (await both()) as [string, string];
  expect(created()).toBe(2);
  expect(revoked).not.toContain(signing);
  expect(successor).toBe(kid);
  expect(await signer()).toBe(signing);
  for (const each of revoked)
    expect(await publicKey(each)).toMatchObject({ revoked_at: SECONDS, expires_at: 0 });
});

test('a rotation promotes a successor that gateways may lack when the key that signed was revoked', async () => {
  await rotate();
  const [signing, successor] = (await both()) as [string, string];
  await revoke(signing);
  const { kid } = await rotate();
  expect(await both()).toEqual([successor, kid]);
});

test('setSecret fails when the pending key was revoked', async () => {
  const { version, kid } = await rotate('setSecret');
  await revoke(kid);
  await expect(step('setSecret', version)).rejects.toThrow('The pending signing key was revoked');
});

test('setSecret publishes the key that signs again when a restored table lacks it', async () => {
  await rotate();
  const [signing] = (await both()) as [string, string];
  await ring.removeKey(signing);
  await rotate('setSecret');
  expect(await publicKey(signing)).toMatchObject({ published_at: SECONDS });
});

test.each<[string, (kid: string) => Promise<unknown>, object]>([
  ['is not published', (kid) => ring.removeKey(kid), { message: 'The pending key is not published' }],
  ['was revoked', (kid) => revoke(kid), { message: 'The pending key is not published' }],
  [
    'is published with the half of another key',
    async (kid) => ring.publish({ jwk: { ...(await ring.publish()).publicJwk, kid } }),
    { code: 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED' },
  ],
  [
    'has expired',
    async (kid) => ring.publish({ jwk: { kid, ...(await publicKey(kid))?.jwk }, expires_at: SECONDS }),
    { message: 'The pending key is not published' },
  ],
])('testSecret fails when the pending key %s', async (_name, change, error) => {
  const { version, kid } = await rotate('setSecret');
  await step('testSecret', version);
  await change(kid);
  await expect(step('testSecret', version)).rejects.toMatchObject(error);
});

test('a rotation retires forgotten keys of its own secret, and leaves revoked ones', async () => {
  await rotate();
  const { secret_id } = (await publicKeys())[0] as { secret_id?: string };
  const forgotten = await ring.publish({ ...(secret_id && { secret_id }) });
  const ended = await ring.publish({ revoked_at: 1, expires_at: 0 });
  await rotate();
  expect(await expiryOf(forgotten.kid)).toBe(SECONDS + RETIRED_SECONDS);
  expect(await publicKey(ended.kid)).toMatchObject({ revoked_at: 1, expires_at: 0 });
});

test('rotations of a new stack retire keys of the former one, once gateways know the new ones', async () => {
  await rotate();
  const former = await both();
  clock.time += RESOURCE_LEAD_MS;
  const secret = await secrets.create('none');
  await rotate('finishSecret', secret);
  for (const kid of former) expect(await expiryOf(kid)).toBeUndefined();
  clock.time += RESOURCE_LEAD_MS - 1000;
  await rotate('finishSecret', secret);
  for (const kid of former) expect(await expiryOf(kid)).toBeUndefined();
  clock.time += 1000;
  await rotate('finishSecret', secret);
  for (const kid of former) expect(await expiryOf(kid)).toBe(clock.time / 1000 + RETIRED_SECONDS);
});

test('a rotation of the former stack leaves the keys of a new one, which were published later', async () => {
  await rotate();
  clock.time += RESOURCE_LEAD_MS;
  const secret = await secrets.create('none');
  await rotate('finishSecret', secret);
  clock.time += 60_000;
  await rotate();
  for (const kid of await both(secret)) expect(await expiryOf(kid)).toBeUndefined();
});
