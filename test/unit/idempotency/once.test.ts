import { expect, test } from 'vitest';
import { Failure } from '#lib/failure/failure';
import { type Note, once } from '#lib/idempotency/once';
import { transact } from '#lib/table/write';
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
