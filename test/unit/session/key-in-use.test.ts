import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { LEAD_MS } from '#lib/session/lead';
import { revokeKey } from '#lib/session/publish-key';
import { ROTATION_STEPS, takeRotationStep } from '#lib/session/rotation';
import { signingKeyFromSecret } from '#lib/session/signing-key';
import { allPublicKeys, publicKeyItemKey } from '#lib/table/keys';
import { get, query } from '#lib/table/read';
import { put, remove } from '#lib/table/write';
import { NOON, openTestTable } from '../support/engine.ts';
import { logLines } from '../support/log-lines.ts';
import { openTestSecrets } from '../support/secrets.ts';
import { publishKey } from '../support/signing-keys.ts';

const { table, clock, runtime, operations } = await openTestTable();
const secrets = await openTestSecrets();
const lines = logLines();
const HELD = 5 * 60_000;

let SecretId: string;
/** The id of the key that a new execution environment of login signs with. */
const signer = async () => (await open()()).kid;
const open = () => signingKeyFromSecret(runtime);
beforeEach(async () => {
  for (const { jwk } of await query(table, allPublicKeys)) await remove(table, publicKeyItemKey(jwk.kid));
  SecretId = await secrets.create('none');
  vi.stubEnv('SIGNING_KEY_SECRET_ID', SecretId);
});

/** A rotation; resolves to the id of its key. */
async function rotate(secret = SecretId): Promise<string> {
  const ClientRequestToken = randomUUID();
  for (const Step of ROTATION_STEPS)
    await takeRotationStep(
      { ...runtime, secrets: secrets.client },
      { SecretId: secret, ClientRequestToken, Step },
    );
  const items = await query(table, allPublicKeys);
  return items.find(({ secret_version }) => secret_version === ClientRequestToken)?.jwk.kid as string;
}

describe('a login', () => {
  test('signs with the first key at once, and with the next once every verifier has it', async () => {
    const first = await rotate();
    expect(await signer()).toBe(first);
    const held = open();
    await held();
    clock.time = NOON + 1000;
    const second = await rotate();
    expect([await signer(), (await held()).kid]).toEqual([first, first]);
    clock.time = NOON + 1000 + LEAD_MS - 1;
    expect([await signer(), (await held()).kid]).toEqual([first, first]);
    clock.time = NOON + 1000 + LEAD_MS;
    expect([await signer(), (await held()).kid]).toEqual([second, second]);
  });

  test('signs on with its key through rotations that follow each other, until the last key is known', async () => {
    const first = await rotate();
    clock.time += LEAD_MS;
    for (const _ of [1, 2, 3]) {
      await rotate();
      clock.time += 60_000;
      expect(await signer()).toBe(first);
    }
    const last = await rotate();
    clock.time += LEAD_MS;
    expect(await signer()).toBe(last);
  });

  test('learns within five seconds of a rotation, though it holds its key for five minutes', async () => {
    await rotate();
    clock.time += LEAD_MS;
    const held = open();
    await held();
    await rotate();
    clock.time += 5000;
    secrets.calls.length = 0;
    await held();
    expect(secrets.calls).toEqual(['GetSecretValue', 'GetSecretValue']);
    clock.time += 5000;
    await held();
    expect(secrets.calls).toHaveLength(2);
  });

  test('after an upgrade signs on with the key that it has: nobody noted when that was published', async () => {
    const { kid, privateJwk } = await publishKey(table);
    await secrets.put(SecretId, JSON.stringify(privateJwk));
    expect(await signer()).toBe(kid);
    const next = await rotate();
    expect(await signer()).toBe(kid);
    clock.time += LEAD_MS;
    expect(await signer()).toBe(next);
  });

  test('of a second secret on the table goes on with its key, whatever the first does', async () => {
    const green = await secrets.create('none');
    const [blueKey, greenKey] = [await rotate(), await rotate(green)];
    for (const _ of [1, 2]) {
      clock.time += LEAD_MS;
      await rotate();
    }
    expect((await get(table, publicKeyItemKey(blueKey)))?.expires_at).toBeGreaterThan(0);
    expect(await get(table, publicKeyItemKey(greenKey))).not.toHaveProperty('expires_at');
    vi.stubEnv('SIGNING_KEY_SECRET_ID', green);
    expect(await signer()).toBe(greenKey);
  });
});

describe('a table from before the last rotation', () => {
  test('has the public key published again, and the key before signs until that is known', async () => {
    const first = await rotate();
    clock.time += LEAD_MS;
    const second = await rotate();
    clock.time += LEAD_MS;
    expect(await signer()).toBe(second);
    const { jwk } = (await get(table, publicKeyItemKey(first))) as { jwk: { kid: string } };
    await remove(table, publicKeyItemKey(second));
    await put(table, publicKeyItemKey(first), { jwk });
    expect(await signer()).toBe(first);
    expect(await get(table, publicKeyItemKey(second))).toMatchObject({ published_at: clock.time / 1000 });
    expect(lines.filter(({ level }) => level === 'warn')).toMatchObject([
      { level: 'warn', message: 'The public key was missing and is published again' },
    ]);
    clock.time += LEAD_MS;
    expect(await signer()).toBe(second);
  });

  test('that has no key at all has the current one, which signs', async () => {
    const only = await rotate();
    await remove(table, publicKeyItemKey(only));
    expect(await signer()).toBe(only);
    expect((await get(table, publicKeyItemKey(only)))?.jwk).not.toHaveProperty('d');
  });

  test('is noticed by an execution environment that holds the key', async () => {
    const only = await rotate();
    const held = open();
    await held();
    await remove(table, publicKeyItemKey(only));
    clock.time += 5000;
    expect((await held()).kid).toBe(only);
    expect(await get(table, publicKeyItemKey(only))).toBeDefined();
  });

  test('where the current key is about to expire has it for good again', async () => {
    const only = await rotate();
    const { jwk } = (await get(table, publicKeyItemKey(only))) as { jwk: { kid: string } };
    await put(table, publicKeyItemKey(only), { jwk, expires_at: NOON / 1000 + 60 });
    expect(await signer()).toBe(only);
    expect(await get(table, publicKeyItemKey(only))).not.toHaveProperty('expires_at');
  });
});

describe('a key that was revoked', () => {
  test('signs no more after five seconds, in no execution environment, and is not published again', async () => {
    const only = await rotate();
    const held = open();
    await held();
    await revokeKey(table, only, NOON);
    clock.time += 5000;
    await expect(held()).rejects.toMatchObject({ code: 'unavailable' });
    await expect(signer()).rejects.toMatchObject({ code: 'unavailable' });
    expect(await get(table, publicKeyItemKey(only))).toMatchObject({
      revoked_at: NOON / 1000,
      expires_at: 0,
    });
    expect(lines.filter(({ level }) => level === 'warn')).toEqual([]);
  });

  test('gives way to the key of a rotation, which signs at once, in an execution environment that held it too', async () => {
    const old = await rotate();
    clock.time += LEAD_MS;
    const held = open();
    await held();
    await revokeKey(table, old, clock.time);
    const next = await rotate();
    expect(await signer()).toBe(next);
    clock.time += 5000;
    expect((await held()).kid).toBe(next);
  });

  test('was to sign next: the one before signs on', async () => {
    const first = await rotate();
    clock.time += LEAD_MS;
    const second = await rotate();
    await revokeKey(table, second, clock.time);
    expect(await signer()).toBe(first);
    const third = await rotate();
    expect(await signer()).toBe(first);
    clock.time += LEAD_MS;
    expect(await signer()).toBe(third);
  });
});

test('a warm login reads the keys once in five seconds, and the secret once in five minutes', async () => {
  await rotate();
  clock.time += LEAD_MS;
  const held = open();
  await held();
  secrets.calls.length = 0;
  const before = operations().length;
  for (const at of [0, 1, 4999]) {
    clock.time = NOON + LEAD_MS + at;
    await held();
  }
  expect(operations().slice(before)).toEqual([]);
  clock.time = NOON + LEAD_MS + 5000;
  await held();
  expect(operations().slice(before)).toEqual(['Query']);
  clock.time = NOON + LEAD_MS + HELD - 1;
  await held();
  expect(secrets.calls).toEqual([]);
});
