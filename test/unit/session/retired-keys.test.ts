import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { parsePrivateKey } from '#lib/session/key-version';
import { revokeKey } from '#lib/session/publish-key';
import { ROTATION_STEPS, takeRotationStep } from '#lib/session/rotation';
import { MAX_EXPIRE_HOURS } from '#lib/settings';
import { allPublicKeys, publicKeyItemKey } from '#lib/table/keys';
import { get, query } from '#lib/table/read';
import { put, remove } from '#lib/table/write';
import { NOON, openTestTable } from '../support/engine.ts';
import { openTestSecrets } from '../support/secrets.ts';
import { newKeyPair } from '../support/signing-keys.ts';

const { table, wire, clock, runtime, operations } = await openTestTable();
const secrets = await openTestSecrets();

/**
 * The longest life of a token, the time until the next key signs, that for which a function holds a key, and a minute.
 */
const LIVES_ON = 720 * 3600 + 6 * 60 + 5 * 60 + 60;

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

test.each<[string, (own: string) => object, boolean]>([
  ['of its own secret that was forgotten', (secret_id) => ({ secret_id }), true],
  ['of a second secret', () => ({ secret_id: 'arn:other' }), false],
  ['of nobody knows which secret', () => ({}), false],
])('a rotation retires keys that its own secret has superseded: one %s', async (_name, more, retires) => {
  const first = await rotate();
  const other = await newKeyPair();
  const { secret_id } = (await get(table, publicKeyItemKey(first.kid))) as { secret_id: string };
  await put(table, publicKeyItemKey(other.kid), { jwk: other.publicJwk, ...more(secret_id) });
  await rotate();
  expect(await expiryOf(first.kid)).toBe(NOON / 1000 + LIVES_ON);
  expect(await expiryOf(other.kid)).toBe(retires ? NOON / 1000 + LIVES_ON : undefined);
});

test('the key of an earlier version, which does not say whose it is, is retired by the next rotation', async () => {
  const first = await rotate();
  const { jwk } = (await get(table, publicKeyItemKey(first.kid))) as { jwk: { kid: string } };
  await put(table, publicKeyItemKey(first.kid), { jwk });
  await rotate();
  expect(await expiryOf(first.kid)).toBe(NOON / 1000 + LIVES_ON);
});

test('the key that signs on through a second rotation is retired by that one', async () => {
  const first = await rotate();
  clock.time = NOON + 6 * 60_000;
  const second = await rotate();
  clock.time = NOON + 8 * 60_000;
  await rotate();
  expect(await expiryOf(first.kid)).toBe(NOON / 1000 + 8 * 60 + LIVES_ON);
  expect(await expiryOf(second.kid)).toBe(NOON / 1000 + 8 * 60 + LIVES_ON);
});

test('the key that signs on expires no earlier than was said, though the clock has gone back', async () => {
  const first = await rotate();
  clock.time = NOON + 8 * 60_000;
  await rotate();
  clock.time = NOON + 7 * 60_000;
  await rotate();
  expect(await expiryOf(first.kid)).toBe(NOON / 1000 + 8 * 60 + LIVES_ON);
});

test('a revoked key stays, and stays revoked', async () => {
  const first = await rotate();
  await revokeKey(table, first.kid, NOON);
  await rotate();
  await rotate();
  expect(await get(table, publicKeyItemKey(first.kid))).toMatchObject({
    revoked_at: NOON / 1000,
    expires_at: 0,
  });
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
