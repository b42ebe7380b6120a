import { expect, test } from 'vitest';
import { MAX_EXPIRE_HOURS } from '#lib/instance/settings';
import { SESSION_KEYS } from '#lib/session/key-use';
import { HELD_MS, LEAD_MS } from '#lib/session/lead';
import { revokeKey } from '#lib/session/publish-key';
import { retiredSeconds } from '#lib/session/retire-keys';
import { NOON } from '../support/engine.ts';
import { logLines } from '../support/log-lines.ts';
import { openKeyRing } from './key-ring.ts';

const RETIRED_SECONDS = retiredSeconds(SESSION_KEYS);
const ring = await openKeyRing();
logLines();
const { table, wire, clock, operations, rotate, step, publicKey } = ring;

const SECONDS = NOON / 1000;
const MINUTE = 60_000;
const expiryOf = async (kid: string) => (await publicKey(kid))?.expires_at;
const bare = async (kid: string) => ({ jwk: { kid, ...(await publicKey(kid))?.jwk } });

/** A rotation at a time, in minutes after noon. */
const rotateAt = (minutes: number) => {
  clock.time = NOON + minutes * MINUTE;
  return rotate();
};

/** Changes the public keys that the rotation reads. */
const misread = (change: (items: Record<string, unknown>[]) => Record<string, unknown>[]) =>
  wire.script((operation, input) =>
    operation === 'Query'
      ? { input, answer: (body) => ({ ...body, Items: change(body['Items'] as Record<string, unknown>[]) }) }
      : undefined,
  );

test('a rotation retires the previous key until its longest token expires, and never the current one', async () => {
  expect(RETIRED_SECONDS).toBe((LEAD_MS + HELD_MS) / 1000 + MAX_EXPIRE_HOURS * 3600 + 60);
  const first = await rotate();
  expect(await expiryOf(first.kid)).toBeUndefined();
  clock.time = NOON + 999;
  const second = await rotate();
  await step('finishSecret', second.version);
  expect(await expiryOf(first.kid)).toBe(SECONDS + RETIRED_SECONDS);
  expect(await publicKey(second.kid)).toBeDefined();
  expect(await expiryOf(second.kid)).toBeUndefined();
});

test.each<[string, (own: string) => object]>([
  ['a forgotten key of its own secret', (secret_id) => ({ secret_id })],
  ['the key of another secret, whose stack may be deleted', () => ({ secret_id: 'arn:other' })],
  ['a key that names no secret', () => ({})],
])('a rotation retires %s', async (_name, more) => {
  const first = await rotate();
  const other = await ring.publish(more((await publicKey(first.kid))?.secret_id as string));
  await rotate();
  for (const { kid } of [first, other]) expect(await expiryOf(kid)).toBe(SECONDS + RETIRED_SECONDS);
});

test('the first rotation of a stack that adopts a table retires the key of the deleted stack', async () => {
  const deleted = await rotate();
  const adopting = await ring.secrets.create('none');
  const { kid } = await rotate('finishSecret', adopting);
  expect(await expiryOf(deleted.kid)).toBe(SECONDS + RETIRED_SECONDS);
  expect(await expiryOf(kid)).toBeUndefined();
});

test.each<[string, number[], [number, number]]>([
  ['prolongs the key that signs on through it', [6, 8], [8, 8]],
  ['leaves the expiry of the key that signs on when the clock has gone back', [8, 7], [8, 8]],
  ['leaves the expiry of a key that signs no more', [0, 60], [0, 60]],
])('a second rotation %s', async (_name, [one = 0, two = 0], [ofFirst, ofSecond]) => {
  const first = await rotate();
  const second = await rotateAt(one);
  await rotateAt(two);
  expect(await expiryOf(first.kid)).toBe(SECONDS + ofFirst * 60 + RETIRED_SECONDS);
  if (two > one) expect(await expiryOf(second.kid)).toBe(SECONDS + ofSecond * 60 + RETIRED_SECONDS);
});

test('rotations leave a revoked key revoked, and an expired one that is revoked meanwhile', async () => {
  const first = await rotate();
  for (const time of [NOON, NOON + 1000]) await revokeKey(table, first.kid, time);
  await rotate();
  await rotate();
  expect(await publicKey(first.kid)).toMatchObject({ revoked_at: SECONDS, expires_at: 0 });
  const expired = await ring.publish({ expires_at: 1 });
  wire.before('DeleteItem', () => revokeKey(table, expired.kid, NOON));
  await rotate();
  expect(await publicKey(expired.kid)).toMatchObject({ expires_at: 0 });
});

test('a rotation removes a retired key after the second of its expiry, and never its own', async () => {
  const [first, second] = [await rotate(), await rotate()];
  clock.time = NOON + RETIRED_SECONDS * 1000 + 999;
  await step('finishSecret', second.version);
  expect(await publicKey(first.kid)).toBeDefined();
  await ring.publish({ ...(await bare(second.kid)), expires_at: 1 });
  clock.time += 1;
  await step('finishSecret', second.version);
  expect(await publicKey(first.kid)).toBeUndefined();
  expect(await publicKey(second.kid)).toBeDefined();
});

test('a rotation leaves keys that another one has retired or removed since it read them', async () => {
  const [first, second] = [await rotate(), await rotate()];
  clock.time = NOON + 60 * MINUTE;
  misread((items) => {
    const kept = items.map(({ expires_at: _, ...item }) => item);
    return [...kept, { ...kept[0], jwk: { M: { kid: { S: 'gone' } } } }];
  });
  wire.commands.length = 0;
  await step('finishSecret', second.version);
  expect(operations().filter((operation) => operation === 'UpdateItem')).toHaveLength(2);
  expect(await expiryOf(first.kid)).toBe(SECONDS + RETIRED_SECONDS);
  expect(await publicKey('gone')).toBeUndefined();
});
