import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { isOutage } from '#lib/aws';
import { Failure } from '#lib/failure';
import { parsePrivateKey } from '#lib/session/key-version';
import { cachedPublicKeys } from '#lib/session/public-keys';
import { type SigningKey, signSession, verifySession } from '#lib/session/session-token';
import { signingKeyFromSecret } from '#lib/session/signing-key';
import { ServiceError } from '../../../infra/local/machine/service-error.ts';
import { NOON, openTestTable } from '../support/engine.ts';
import { logLines } from '../support/log-lines.ts';
import { openTestSecrets } from '../support/secrets.ts';
import { publishKey } from '../support/signing-keys.ts';

const { table, clock, runtime } = await openTestTable();
const secrets = await openTestSecrets();
const lines = logLines();
const HELD = 5 * 60_000;

describe('the text of a secret', () => {
  test('is a private key where it has an id and the private member', () => {
    const key = { kid: 'k', d: 'secret', kty: 'EC', more: 1 };
    expect(parsePrivateKey(JSON.stringify(key))).toEqual(key);
  });

  test.each([
    [undefined],
    [''],
    ['none'],
    ['null'],
    ['"{}"'],
    ['[]'],
    ['{'],
    ['{}'],
    ['{"kid":"k"}'],
    ['{"d":"secret"}'],
    ['{"kid":"","d":"secret"}'],
    ['{"kid":"k","d":"secret"'],
  ])('is no private key as %s', (text) => {
    expect(parsePrivateKey(text)).toBeUndefined();
  });
});

describe('the signing key', () => {
  let SecretId: string;
  let signingKey: () => Promise<SigningKey>;
  beforeEach(async () => {
    const { privateJwk } = await publishKey(table);
    SecretId = await secrets.create(JSON.stringify(privateJwk));
    vi.stubEnv('SIGNING_KEY_SECRET_ID', SecretId);
    signingKey = signingKeyFromSecret(runtime);
  });

  test('is that of the secret, and signs what its public half verifies', async () => {
    const pair = await publishKey(table);
    await secrets.put(SecretId, JSON.stringify(pair.privateJwk));
    const key = await signingKey();
    expect(key.kid).toBe(pair.kid);
    const session = { sub: 'id', name: 'ada', sst: randomBytes(4).toString('hex') };
    const token = await signSession(runtime, key, session, NOON / 1000, 60);
    expect(await verifySession(runtime, token, cachedPublicKeys(table, clock))).toMatchObject(session);
  });

  test('is held for five minutes, then that of a rotation takes its place', async () => {
    const first = await signingKey();
    const next = await publishKey(table);
    await secrets.put(SecretId, JSON.stringify(next.privateJwk));
    secrets.calls.length = 0;
    clock.time = NOON + HELD - 1;
    expect(await signingKey()).toBe(first);
    expect(secrets.calls).toEqual([]);
    clock.time = NOON + HELD;
    expect((await signingKey()).kid).toBe(next.kid);
    await signingKey();
    expect(secrets.calls).toEqual(['GetSecretValue']);
  });

  test('is told with its age each time that the secret is read: an alarm hears of a rotation that is overdue', async () => {
    const { kid } = await signingKey();
    await signingKey();
    clock.time = NOON + HELD;
    await signingKey();
    const line = { level: 'info', message: 'The signing key was read', kid, keyAgeDays: 0 };
    expect(lines).toMatchObject([line, line]);
  });

  test('is as old as the beginning of the read', async () => {
    secrets.script(() => {
      clock.time = NOON + 60_000;
      return undefined;
    });
    await signingKey();
    clock.time = NOON + HELD;
    await signingKey();
    expect(secrets.calls).toEqual(['GetSecretValue', 'GetSecretValue']);
  });

  test('is unavailable before the first rotation, which nobody has to mend', async () => {
    await secrets.put(SecretId, 'none');
    await expect(signingKey()).rejects.toMatchObject({ code: 'unavailable', retryAfter: 5 });
    expect(lines).toEqual([]);
    await secrets.put(SecretId, JSON.stringify((await publishKey(table)).privateJwk));
    await expect(signingKey()).resolves.toHaveProperty('kid');
  });

  test.each([
    ['AccessDeniedException', 400, 1],
    ['ResourceNotFoundException', 400, 1],
    ['InternalServiceError', 500, 3],
  ])(
    'is unavailable where the store answers %s, and a line of the log says so',
    async (name, status, calls) => {
      secrets.script(() => {
        throw new ServiceError(name, 'No "d":"private"', status);
      });
      await expect(signingKey()).rejects.toMatchObject({ code: 'unavailable', retryAfter: 5 });
      expect(secrets.calls).toHaveLength(calls);
      expect(lines).toHaveLength(1);
      expect(lines[0]).toMatchObject({
        level: 'error',
        message: 'The signing key cannot be read',
        error: { name },
      });
      expect(JSON.stringify(lines)).not.toContain('private');
      secrets.script(() => undefined);
      await expect(signingKey()).resolves.toHaveProperty('kid');
    },
  );

  test('signs for no longer than five minutes while the store fails', async () => {
    const key = await signingKey();
    secrets.script(() => {
      throw new ServiceError('AccessDeniedException', 'No');
    });
    clock.time = NOON + HELD - 1;
    expect(await signingKey()).toBe(key);
    clock.time = NOON + HELD;
    await expect(signingKey()).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('is an outage of the store where that is out of reach', async () => {
    const url = process.env['AWS_ENDPOINT_URL_SECRETS_MANAGER'];
    vi.stubEnv('AWS_ENDPOINT_URL_SECRETS_MANAGER', 'http://127.0.0.1:9');
    try {
      const error = await signingKeyFromSecret(runtime)().catch((reason: unknown) => reason);
      expect(error).not.toBeInstanceOf(Failure);
      expect(isOutage(error)).toBe(true);
      expect(lines).toEqual([]);
    } finally {
      vi.stubEnv('AWS_ENDPOINT_URL_SECRETS_MANAGER', url);
    }
  });

  test('is not to be had where no variable names its secret', () => {
    vi.stubEnv('SIGNING_KEY_SECRET_ID', undefined);
    expect(() => signingKeyFromSecret(runtime)).toThrow('SIGNING_KEY_SECRET_ID is not set');
  });
});
