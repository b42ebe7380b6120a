import { randomUUID } from 'node:crypto';
import { beforeEach, vi } from 'vitest';
import { ENVIRONMENT } from '#lib/instance/environment';
import type { PublicKeyItem } from '#lib/item/instance';
import { parsePrivateKey } from '#lib/session/key-version';
import { OF_SESSIONS, ROTATION_STEPS, type RotationStep, takeRotationStep } from '#lib/session/rotation';
import { get, query } from '#lib/table/read';
import { put, remove } from '#lib/table/write';
import { openTestTable } from '../support/engine.ts';
import { openTestSecrets } from '../support/secrets.ts';
import { newKeyPair } from '../support/signing-keys.ts';

const VARIABLES = { sessions: ENVIRONMENT.signingKey, resources: ENVIRONMENT.resourceKey };

/**
 * A table and a secret store, with functions that rotate, publish and read their keys. Call it once at the top of a test file:
 * every test starts with no public key, and with a secret that holds no private key.
 *
 * @param rotated what the keys sign
 */
export async function openKeyRing(rotated = OF_SESSIONS) {
  const { all, itemKey, algorithm, signs } = rotated.use;
  const opened = await openTestTable();
  const { table, wire, runtime } = opened;
  const secrets = await openTestSecrets();
  const rotation = { ...runtime, secrets: secrets.client };
  let secretId = '';

  const publicKeys = () => query(table, all);
  const removeKey = (kid: string) => remove(table, itemKey(kid));
  const step = (Step: RotationStep, ClientRequestToken: string, SecretId = secretId) =>
    takeRotationStep(rotation, { SecretId, ClientRequestToken, Step }, rotated);
  const privateKey = async (version: string, SecretId = secretId) =>
    parsePrivateKey(await secrets.textOf(SecretId, version));

  beforeEach(async () => {
    for (const { jwk } of await publicKeys()) await removeKey(jwk.kid);
    secretId = await secrets.create('none');
    vi.stubEnv(VARIABLES[signs], secretId);
    wire.reset();
  });

  return {
    ...opened,
    secrets,
    rotation,
    /** The secret of the running test. */
    secretId: () => secretId,
    publicKeys,
    publicKey: (kid: string) => get(table, itemKey(kid)),
    removeKey,
    privateKey,
    /** Stores the public half of a key; of a new key by default. */
    async publish(item: Partial<PublicKeyItem> = {}) {
      const pair = await newKeyPair(algorithm);
      const stored = { jwk: pair.publicJwk, ...item };
      await put(table, itemKey(stored.jwk.kid), stored);
      return pair;
    },
    step,
    /** A rotation up to and including a step; resolves to the version of the secret and the ID of its key. */
    async rotate(through: RotationStep = 'finishSecret', SecretId = secretId) {
      const version: string = randomUUID();
      for (const each of ROTATION_STEPS.slice(0, ROTATION_STEPS.indexOf(through) + 1))
        await step(each, version, SecretId);
      return { version, kid: (await privateKey(version, SecretId))?.kid as string };
    },
  };
}
