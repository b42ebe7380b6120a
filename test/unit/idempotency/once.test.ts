import { expect, test } from 'vitest';
import { Failure } from '#lib/failure/failure';
import { type Note, once } from '#lib/idempotency/once';
import type { Made } from '#lib/item/made';
import { madeKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { put, transact } from '#lib/table/write';
import { by, openTestTable } from '../support/engine.ts';

const { table, runtime } = await openTestTable();

test('once refuses a caller whose credential has ended, although an equal request was faster', async () => {
  const request = { actor: by('ada'), headers: { 'idempotency-key': 'key' } };
  const run = (create: (note?: Note) => Promise<string>) =>
    once(runtime, request, { username: 'ada', name: 'ci' }, create, async (secret) => secret);
  const late = run(async () => {
    await run(async (note) => {
      await transact(table, note ? [note('secret')] : []);
      return 'secret';
    });
    throw new Failure('unauthenticated', { cause: 'account_locked' });
  });
  await expect(late).rejects.toMatchObject({ code: 'unauthenticated' });
});

test('once repeats the answer to a request that an earlier version recorded', async () => {
  const request = { actor: by('grace'), headers: { 'idempotency-key': 'key' } };
  const run = (create: (note?: Note) => Promise<string>, username = 'ada') =>
    once(runtime, request, { username, name: 'ci' }, create, async (secret) => secret);
  const create = async (note?: Note) => {
    await transact(table, note ? [note('secret')] : []);
    return 'secret';
  };
  await run(create);
  const key = madeKey('grace', 'key');
  const { made_for: username, ...recorded } = (await get(table, key)) as Made;
  await put(table, key, { ...recorded, username } as Made);
  expect(await run(create)).toMatchObject({ data: 'secret' });
  await expect(run(create, 'bob')).rejects.toMatchObject({ code: 'idempotency_key_reused' });
});
