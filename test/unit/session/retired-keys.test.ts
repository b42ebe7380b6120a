import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { ROTATION_STEPS, takeRotationStep } from '#lib/session/rotation';
import { parsePrivateKey } from '#lib/session/signing-key';
import { MAX_EXPIRE_HOURS } from '#lib/settings';
import { allPublicKeys, publicKeyItemKey } from '#lib/table/keys';
import { get, query } from '#lib/table/read';
import { put, remove } from '#lib/table/write';
import { NOON, openTestTable } from '../engine.ts';
import { openTestSecrets } from '../secrets.ts';
import { newKeyPair } from '../signing-keys.ts';

const { table, wire, clock, runtime, operations } = await openTestTable();
const secrets = await openTestSecrets();

/** The longest life of a token, the time that a function holds the key that signs it, and a minute. */
const LIVES_ON = 720 * 3600 + 5 * 60 + 60;

let SecretId: string;
beforeEach(async () => {
  SecretId = await secrets.create('none');
  for (const { jwk } of await query(table, allPublicKeys)) await remove(table, publicKeyItemKey(jwk.kid));
  wire.reset();
});

const take = (Step: (typeof ROTATION_STEPS)[number], ClientRequestToken: string) =>
  takeRotationStep({ ...runtime, secrets: secrets.client }, { SecretId, ClientRequestToken, Step });

/** A rotation; resolves to the id of its key, and its version of the secret. */
async function rotate() {
  const version = randomUUID();
  for (const step of ROTATION_STEPS) await take(step, version);
  return { version, kid: parsePrivateKey(await secrets.textOf(SecretId))?.kid as string };
}

const expiryOf = async (kid: string) => (await get(table, publicKeyItemKey(kid)))?.expires_at;
const stands = async (kid: string) => (await get(table, publicKeyItemKey(kid))) !== undefined;

/** The rotation reads the public keys as this changes them. */
const misread = (change: (items: Record<string, unknown>[]) => Record<string, unknown>[]) =>
  wire.script((operation, input) =>
    operation === 'Query'
      ? {
          input,
          answer: (body) => ({ ...body, Items: change(body['Items'] as Record<string, unknown>[]) }),
        }
      : undefined,
  );

test('a token lives 720 hours at most', () => {
  expect(MAX_EXPIRE_HOURS).toBe(720);
});

test('the current key never expires', async () => {
  const first = await rotate();
  expect(await expiryOf(first.kid)).toBeUndefined();
  const second = await rotate();
  await take('finishSecret', second.version);
  expect(await expiryOf(second.kid)).toBeUndefined();
  expect(await stands(second.kid)).toBe(true);
});

test('a retired key expires when the longest token that it can have signed has, to the second', async () => {
  const first = await rotate();
  clock.time = NOON + 999;
  await rotate();
  expect(await expiryOf(first.kid)).toBe(NOON / 1000 + LIVES_ON);
});

test('each of several keys that sign no more is retired', async () => {
  const forgotten = await newKeyPair();
  await put(table, publicKeyItemKey(forgotten.kid), { jwk: forgotten.publicJwk });
  const first = await rotate();
  await rotate();
  expect([await expiryOf(forgotten.kid), await expiryOf(first.kid)]).toEqual([
    NOON / 1000 + LIVES_ON,
    NOON / 1000 + LIVES_ON,
  ]);
});

test('a key is retired once: later rotations do not prolong it', async () => {
  const first = await rotate();
  const second = await rotate();
  clock.time = NOON + 3_600_000;
  await take('finishSecret', second.version);
  await rotate();
  expect(await expiryOf(first.kid)).toBe(NOON / 1000 + LIVES_ON);
  expect(await expiryOf(second.kid)).toBe(NOON / 1000 + 3600 + LIVES_ON);
});

test('a retired key is removed by a rotation after its expiry, and none before', async () => {
  const first = await rotate();
  const second = await rotate();
  clock.time = NOON + LIVES_ON * 1000 + 999;
  await take('finishSecret', second.version);
  expect(await stands(first.kid), 'in the very second').toBe(true);
  clock.time = NOON + (LIVES_ON + 1) * 1000;
  await take('finishSecret', second.version);
  expect(await stands(first.kid)).toBe(false);
  expect(await stands(second.kid)).toBe(true);
});

test('the current key is not removed, even where it was once retired', async () => {
  const first = await rotate();
  const { jwk } = (await query(table, allPublicKeys))[0] as { jwk: { kid: string } };
  await put(table, publicKeyItemKey(first.kid), { jwk, expires_at: 1 });
  await take('finishSecret', first.version);
  expect(await stands(first.kid)).toBe(true);
});

test('a key that another rotation has retired meanwhile keeps its expiry', async () => {
  const first = await rotate();
  const second = await rotate();
  clock.time = NOON + 3_600_000;
  misread((items) => items.map(({ expires_at: _, ...item }) => item));
  await take('finishSecret', second.version);
  expect(operations()).toContain('UpdateItem');
  expect(await expiryOf(first.kid)).toBe(NOON / 1000 + LIVES_ON);
});

test('a key that another rotation has removed meanwhile stays removed', async () => {
  const { kid, version } = await rotate();
  misread((items) => [...items, { jwk: { M: { kid: { S: 'gone' } } } }]);
  await take('finishSecret', version);
  expect(operations()).toContain('UpdateItem');
  expect(await stands('gone')).toBe(false);
  expect(await expiryOf(kid)).toBeUndefined();
});
