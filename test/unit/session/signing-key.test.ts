import { beforeEach, describe, expect, test, vi } from 'vitest';
import { Failure } from '#lib/failure/failure';
import { isOutage } from '#lib/network/aws';
import { parsePrivateKey, SIGNING } from '#lib/session/key-version';
import { CHECK_MS, HELD_MS, LEAD_MS } from '#lib/session/lead';
import { revokeKey } from '#lib/session/publish-key';
import { logKeyAge, NO_KEY, signingKeyFromSecret } from '#lib/session/signing-key';
import { DAY_MS } from '#lib/time';
import { ServiceError } from '../../../infra/local/machine/serve-aws.ts';
import { NOON } from '../support/engine.ts';
import { logLines } from '../support/log-lines.ts';
import { openKeyRing } from './key-ring.ts';

const ring = await openKeyRing();
const { table, wire, clock, runtime, operations, secrets, rotate, publish, publicKey, removeKey } = ring;
const lines = logLines();
const warnings = () => lines.filter(({ level }) => level === 'warn');

/** A new execution environment of login; returns the ID of the key that it signs with. */
function open() {
  const signingKey = signingKeyFromSecret(runtime);
  return async () => (await signingKey()).kid;
}
const signer = () => open()();

/** Rotates once, and waits until all verifiers know the key. */
async function rotateAndWait() {
  const { kid } = await rotate();
  clock.time += LEAD_MS;
  return kid;
}
const bare = async (kid: string) => ({ jwk: { kid, ...(await publicKey(kid))?.jwk } });
const unavailable = (signing: Promise<unknown>) =>
  expect(signing).rejects.toMatchObject({ code: 'unavailable', retryAfter: 5 });

test.each([
  ...[undefined, '', 'none', 'null', '"{}"', '[]', '{', '{}', '{"kid":"k"}', '{"d":"secret"}'],
  ...['{"kid":"","d":"secret"}', '{"kid":"k","d":"secret"'],
])('parsePrivateKey finds no key in %s', (text) => {
  const key = { kid: 'k', d: 'secret', kty: 'EC', more: 1 };
  expect(parsePrivateKey(JSON.stringify(key))).toEqual(key);
  expect(parsePrivateKey(text)).toBeUndefined();
});

test.each<[number | undefined, object[]]>([
  [0, [{ keyAgeDays: 0 }]],
  [DAY_MS - 1, [{ keyAgeDays: 0 }]],
  [DAY_MS, [{ keyAgeDays: 1 }]],
  [92.9 * DAY_MS, [{ keyAgeDays: 92 }]],
  [-1, [{ keyAgeDays: 0 }]],
  [undefined, []],
])('logKeyAge logs the days of a key of %s ms', (age, logged) => {
  logKeyAge('k', age === undefined ? undefined : new Date(NOON - age), NOON);
  expect(lines).toMatchObject(logged.map((days) => ({ level: 'info', kid: 'k', ...days })));
});

test('a login signs with the first key at once, and with the next when every verifier has it', async () => {
  const first = await rotate();
  const held = open();
  expect(await held()).toBe(first.kid);
  clock.time = NOON + 1000;
  const second = await rotate();
  for (const [at, kid] of [
    [0, first.kid],
    [LEAD_MS - 1, first.kid],
    [LEAD_MS, second.kid],
  ] as const) {
    clock.time = NOON + 1000 + at;
    expect([await signer(), await held()]).toEqual([kid, kid]);
  }
});

test('a login reads the public keys once in five seconds, and the secret once in five minutes', async () => {
  await rotateAndWait();
  const [held, from] = [open(), clock.time];
  await held();
  secrets.calls.length = 0;
  const before = operations().length;
  const queries = async (at: number) => {
    clock.time = from + at;
    await held();
    return operations().slice(before);
  };
  expect(await queries(1)).toEqual([]);
  expect(await queries(CHECK_MS - 1)).toEqual([]);
  expect(await queries(CHECK_MS)).toEqual(['Query']);
  expect(await queries(HELD_MS - 1)).toHaveLength(2);
  expect(secrets.operations()).toEqual([]);
  expect(await queries(HELD_MS), 'a new secret is compared with them at once').toHaveLength(3);
  expect(secrets.operations()).toEqual(['GetSecretValue']);
});

test('a login counts the age of the public keys from the beginning of their read', async () => {
  await rotateAndWait();
  const held = open();
  const slow = async () => {
    clock.time += CHECK_MS;
  };
  wire.before('Query', slow);
  await held();
  wire.reset();
  await held();
  expect(operations()).toEqual(['Query']);
});

test('a login notices a rotation within five seconds, though it holds its key for five minutes', async () => {
  await rotateAndWait();
  const held = open();
  await held();
  await rotate();
  secrets.calls.length = 0;
  for (const _ of [1, 2]) {
    clock.time += CHECK_MS;
    await held();
    expect(secrets.operations()).toEqual(['GetSecretValue', 'GetSecretValue']);
  }
});

test('a login reads the previous key again when its read has failed', async () => {
  const first = await rotateAndWait();
  await rotate();
  const held = open();
  secrets.script((_operation, { VersionStage }) => {
    if (VersionStage === SIGNING) throw new ServiceError('AccessDeniedException', 'No');
    return undefined;
  });
  await unavailable(held());
  secrets.script(() => undefined);
  expect(await held()).toBe(first);
});

test('a login on a restored table publishes its key again, and signs with the one before until that is known', async () => {
  const [first, second] = [await rotateAndWait(), await rotateAndWait()];
  await removeKey(second);
  await publish(await bare(first));
  expect(await signer()).toBe(first);
  expect(await publicKey(second)).toMatchObject({ published_at: clock.time / 1000 });
  expect((await publicKey(second))?.jwk).not.toHaveProperty('d');
  expect(warnings()).toMatchObject([
    { message: 'The public key was missing and is published again', kid: second },
  ]);
  clock.time += LEAD_MS;
  expect(await signer()).toBe(second);
});

test.each<[string, (kid: string) => Promise<unknown>]>([
  ['lacks its only key', (kid) => removeKey(kid)],
  ['lets its key expire', async (kid) => publish({ ...(await bare(kid)), expires_at: NOON / 1000 + 60 })],
])(
  'a login on a restored table publishes its key permanently when the table %s, in every environment',
  async (_name, change) => {
    const { kid } = await rotate();
    const held = open();
    await held();
    for (const environment of [open(), held]) {
      await change(kid);
      clock.time += CHECK_MS;
      expect(await environment()).toBe(kid);
      expect(await publicKey(kid)).toBeDefined();
      expect(await publicKey(kid)).not.toHaveProperty('expires_at');
    }
  },
);

test('a login of a stack that shares its table publishes its key again after a rotation of the other stack', async () => {
  const { kid } = await rotate();
  const held = open();
  await held();
  const other = await rotate('finishSecret', await secrets.create('none'));
  for (const minutes of [0, 20]) {
    clock.time = NOON + minutes * 60_000;
    for (const environment of [open(), held]) expect(await environment()).toBe(kid);
  }
  expect(await publicKey(kid)).not.toHaveProperty('expires_at');
  expect(await publicKey(other.kid)).not.toHaveProperty('expires_at');
});

test('a login stops when its key was revoked, and signs at once with the key of the next rotation', async () => {
  const { kid } = await rotate();
  const held = open();
  await held();
  await revokeKey(table, kid, NOON);
  clock.time += CHECK_MS;
  await unavailable(held());
  await unavailable(signer());
  expect(await publicKey(kid)).toMatchObject({ revoked_at: NOON / 1000, expires_at: 0 });
  expect(warnings()).toEqual([]);
  const next = await rotate();
  expect(await signer()).toBe(next.kid);
  clock.time += CHECK_MS;
  expect(await held()).toBe(next.kid);
});

describe('the secret of the signing key', () => {
  let signingKey: ReturnType<typeof signingKeyFromSecret>;
  beforeEach(async () => {
    await secrets.put(ring.secretId(), JSON.stringify((await publish()).privateJwk));
    secrets.calls.length = 0;
    signingKey = signingKeyFromSecret(runtime);
  });

  test('is held from the beginning of its read, and logged with the age of its key', async () => {
    secrets.script(() => {
      clock.time = NOON + 60_000;
      return undefined;
    });
    const { kid } = await signingKey();
    await signingKey();
    clock.time = NOON + HELD_MS;
    await signingKey();
    expect(secrets.operations()).toEqual(['GetSecretValue', 'GetSecretValue']);
    const line = { level: 'info', message: 'The signing key was read', kid, keyAgeDays: 0 };
    expect(lines).toMatchObject([line, line]);
  });

  test('logs that no key is valid when login comes before the first rotation', async () => {
    await secrets.put(ring.secretId(), 'none');
    await unavailable(signingKey());
    expect(lines).toEqual([{ level: 'error', message: NO_KEY, signs: 'sessions' }]);
    expect(secrets.operations()).toEqual(['PutSecretValue', 'GetSecretValue', 'GetSecretValue']);
  });

  test.each([
    ['AccessDeniedException', 400, 1],
    ['ResourceNotFoundException', 400, 1],
    ['InternalServiceError', 500, 3],
  ])('makes login unavailable and logs an error when the store answers %s', async (name, status, calls) => {
    secrets.script(() => {
      throw new ServiceError(name, 'No "d":"private"', status);
    });
    await unavailable(signingKey());
    expect(secrets.operations()).toHaveLength(calls);
    const line = { level: 'error', message: 'The signing key cannot be read', error: { name } };
    expect(lines).toMatchObject([line]);
    expect(JSON.stringify(lines)).not.toContain('private');
    secrets.script(() => undefined);
    await expect(signingKey()).resolves.toHaveProperty('kid');
  });

  test('rejects with an outage when the store cannot be reached', async () => {
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
});
