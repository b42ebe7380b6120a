import { expect, test, vi } from 'vitest';
import { RESOURCE_KEYS } from '#lib/resource/key-use';
import { resourceKeyFromSecret } from '#lib/resource/resource-key';
import { OF_RESOURCES } from '#lib/resource/rotation';
import { SIGNING } from '#lib/session/key-version';
import { CHECK_MS, HELD_MS, RESOURCE_LEAD_MS } from '#lib/session/lead';
import { revokeKey } from '#lib/session/publish-key';
import { NO_KEY, WAITS } from '#lib/session/signing-key';
import { openKeyRing } from '../session/key-ring.ts';
import { logLines } from '../support/log-lines.ts';

vi.mock('jose', async (original) =>
  (await import('../support/pooled-keys.ts')).withPooledKeys(await original()),
);

const ring = await openKeyRing(OF_RESOURCES);
const { table, clock, runtime, secrets, rotate, publicKey, removeKey, privateKey } = ring;
const lines = logLines();
const problems = () => lines.filter(({ level }) => level !== 'info' && level !== 'audit');

/** A new execution environment; returns the ID of the key that it signs with. */
function open() {
  const resourceKey = resourceKeyFromSecret(runtime);
  return async () => (await resourceKey()).kid;
}

/** The keys that sign, and that succeed. */
async function both() {
  const stages = Object.entries(await secrets.stagesOf(ring.secretId()));
  const kidAt = async (stage: string) => {
    const [version] = stages.find(([, all]) => all.includes(stage)) as [string, string[]];
    return (await privateKey(version))?.kid as string;
  };
  return { signing: await kidAt(SIGNING), successor: await kidAt('AWSCURRENT') };
}
const revoke = (kid: string) => revokeKey(table, kid, clock.time, RESOURCE_KEYS);
const unavailable = (signing: Promise<unknown>, retryAfter: number) =>
  expect(signing).rejects.toMatchObject({ code: 'unavailable', retryAfter });

/** Rotates once, and waits until gateways know both keys. */
async function rotateAndWait() {
  await rotate();
  clock.time += RESOURCE_LEAD_MS;
  return both();
}

test('the key of a stage signs until the next rotation, though gateways know its successor', async () => {
  const { signing } = await rotateAndWait();
  expect(await open()()).toBe(signing);
});

test('an environment that holds keys signs with the former one for at most five minutes after a rotation', async () => {
  const { signing, successor } = await rotateAndWait();
  const held = open();
  await held();
  const from = clock.time;
  await rotate();
  expect(await open()()).toBe(successor);
  for (const [at, kid] of [
    [HELD_MS - 1, signing],
    [HELD_MS, successor],
  ] as const) {
    clock.time = from + at;
    expect(await held()).toBe(kid);
  }
  expect(problems()).toEqual([]);
});

test('an environment reads both keys once in five minutes, and the table once in five seconds', async () => {
  await rotateAndWait();
  const held = open();
  await held();
  expect(secrets.operations().slice(-2)).toEqual(['GetSecretValue', 'GetSecretValue']);
  secrets.calls.length = 0;
  const before = ring.operations().length;
  const from = clock.time;
  for (const [at, queries, reads] of [
    [CHECK_MS - 1, 0, 0],
    [CHECK_MS, 1, 0],
    [HELD_MS, 2, 2],
  ] as const) {
    clock.time = from + at;
    await held();
    expect(ring.operations().slice(before)).toHaveLength(queries);
    expect(secrets.operations()).toHaveLength(reads);
  }
});

test('the successor of a revoked key signs within five seconds, even if gateways may lack it', async () => {
  await rotate();
  const { signing, successor } = await both();
  const held = open();
  expect(await held()).toBe(signing);
  await revoke(signing);
  expect(await open()()).toBe(successor);
  clock.time += CHECK_MS - 1;
  expect(await held()).toBe(signing);
  clock.time += 1;
  secrets.calls.length = 0;
  expect(await held()).toBe(successor);
  expect(secrets.operations()).toEqual([]);
  expect(problems()).toEqual([]);
});

test('a revoked successor changes nothing for the key that signs', async () => {
  const { signing, successor } = await rotateAndWait();
  const held = open();
  await held();
  await revoke(successor);
  clock.time += CHECK_MS;
  expect([await held(), await open()()]).toEqual([signing, signing]);
  expect(await publicKey(successor)).toMatchObject({ expires_at: 0 });
});

test('no key signs when both were revoked, until the next rotation', async () => {
  const { signing, successor } = await rotateAndWait();
  const held = open();
  await held();
  for (const kid of [signing, successor]) await revoke(kid);
  clock.time += CHECK_MS;
  lines.length = 0;
  await unavailable(held(), 5);
  expect(problems()).toEqual([{ level: 'error', message: NO_KEY, signs: 'resources' }]);
  await rotate();
  clock.time += CHECK_MS;
  expect([await held(), await open()()]).toEqual(Array(2).fill((await both()).signing));
});

test('no key signs before the first rotation', async () => {
  await unavailable(open()(), 5);
  expect(problems()).toEqual([{ level: 'error', message: NO_KEY, signs: 'resources' }]);
});

test('an environment publishes both keys again when a restored table lacks them, and one signs at once', async () => {
  const { signing, successor } = await rotateAndWait();
  const held = open();
  await held();
  for (const environment of [open(), held]) {
    for (const kid of [signing, successor]) await removeKey(kid);
    clock.time += CHECK_MS;
    lines.length = 0;
    expect(await environment()).toBe(signing);
    for (const kid of [signing, successor])
      expect(await publicKey(kid)).toMatchObject({ published_at: clock.time / 1000 });
    const message = 'The public key was missing and is published again';
    expect(problems()).toMatchObject([successor, signing].map((kid) => ({ level: 'warn', message, kid })));
  }
});

test('the successor signs when a restored table has only that one', async () => {
  const { signing, successor } = await rotateAndWait();
  await removeKey(signing);
  const held = open();
  expect(await held()).toBe(successor);
  clock.time += RESOURCE_LEAD_MS;
  expect(await held()).toBe(signing);
});

test('the keys of a stack wait until gateways know them while another stack signs, and log a warning', async () => {
  const other = await secrets.create('none');
  await rotate('finishSecret', other);
  clock.time += RESOURCE_LEAD_MS;
  await rotate();
  const { signing } = await both();
  const known = clock.time + RESOURCE_LEAD_MS;
  const held = open();
  for (const [before, seconds] of [
    [RESOURCE_LEAD_MS, 60],
    [60_001, 60],
    [30_000, 30],
    [1, 1],
  ] as const) {
    clock.time = known - before;
    lines.length = 0;
    await unavailable(held(), seconds);
    const signs_from = new Date(known).toISOString();
    expect(problems()).toEqual([{ level: 'warn', message: WAITS, signs: 'resources', signs_from }]);
  }
  clock.time = known;
  expect([await held(), await open()()]).toEqual([signing, signing]);
});

test.each<[string, (kid: string) => Promise<unknown>]>([
  ['was revoked', (kid) => revoke(kid)],
  ['was removed', (kid) => removeKey(kid)],
])('the keys of a stack wait for no key of another one that %s', async (_what, end) => {
  const other = await rotate('finishSecret', await secrets.create('none'));
  for (const { jwk } of await ring.publicKeys()) if (jwk.kid !== other.kid) await removeKey(jwk.kid);
  clock.time += RESOURCE_LEAD_MS;
  await rotate();
  const held = open();
  await unavailable(held(), 60);
  await end(other.kid);
  clock.time += CHECK_MS;
  expect(await held()).toBe((await both()).signing);
});
