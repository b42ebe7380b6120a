import { beforeEach, expect, test } from 'vitest';
import { checkOf, hashWith, KEY_DIFFERS, storedCheck, writeCheck } from '#lib/pseudonym/erasure-key';
import { HELD_MS, nameHashOf } from '#lib/pseudonym/name-hash';
import { erasureKeyCheckKey } from '#lib/table/keys';
import { remove } from '#lib/table/write';
import { openTestTable } from '../support/engine.ts';
import { openTestSecrets } from '../support/secrets.ts';

const { table, runtime, clock, wire } = await openTestTable();
const secrets = await openTestSecrets();

let secret: string;
beforeEach(async () => {
  await remove(table, erasureKeyCheckKey);
  secret = await secrets.create('key');
  wire.reset();
});

/** An execution environment, which has read nothing yet. */
const open = () => nameHashOf(runtime, secret);
const reads = () => wire.commands.length + secrets.calls.length;
const refused = expect.objectContaining({ name: KEY_DIFFERS });

test('the first hash that is kept writes the check value, and a look-up none', async () => {
  expect(await open()('Ada')).toBe(hashWith('key', 'ada'));
  expect(await storedCheck(table)).toBeUndefined();
  expect(await open()('Ada', true)).toBe(hashWith('key', 'ada'));
  expect(await storedCheck(table)).toBe(checkOf('key'));
});

test('two that write at the same moment with different keys agree on one, and the other refuses', async () => {
  const other = nameHashOf(runtime, await secrets.create('another'));
  const results = await Promise.allSettled([open()('ada', true), other('ada', true)]);
  const isFirst = (await storedCheck(table)) === checkOf('key');
  expect(results.map(({ status }) => status)).toEqual(
    isFirst ? ['fulfilled', 'rejected'] : ['rejected', 'fulfilled'],
  );
});

test('another key gives no hash, neither one that is kept nor one that is looked up', async () => {
  await writeCheck(table, 'another');
  const hash = open();
  for (const keeps of [true, false]) await expect(hash('ada', keeps)).rejects.toEqual(refused);
});

test('a key is read once, and compared once in the time for which it is held', async () => {
  await writeCheck(table, 'key');
  wire.reset();
  const hash = open();
  await Promise.all([hash('ada', true), hash('bob'), hash('eve')]);
  expect(reads()).toBe(2);
  clock.time += HELD_MS - 1;
  await hash('ada', true);
  expect(reads()).toBe(2);
  clock.time += 1;
  await hash('ada', true);
  expect([reads(), secrets.calls.length]).toEqual([3, 1]);
});

test('a key that is mended works at the next hash', async () => {
  await writeCheck(table, 'another');
  const hash = open();
  await expect(hash('ada')).rejects.toEqual(refused);
  await secrets.put(secret, 'another');
  expect(await hash('ada')).toBe(hashWith('another', 'ada'));
});

test('a key that another one has replaced by force is used no longer than it is held', async () => {
  const hash = open();
  await hash('ada', true);
  await writeCheck(table, 'another', checkOf('key'));
  await secrets.put(secret, 'another');
  clock.time += HELD_MS;
  expect(await hash('ada')).toBe(hashWith('another', 'ada'));
});

test('a key that was replaced in the secret only does no harm to those that hold the right one', async () => {
  const hash = open();
  await hash('ada', true);
  await secrets.put(secret, 'another');
  clock.time += HELD_MS;
  expect(await hash('ada')).toBe(hashWith('key', 'ada'));
  await expect(open()('ada')).rejects.toEqual(refused);
});
