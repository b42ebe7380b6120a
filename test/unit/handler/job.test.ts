import { expect, test, vi } from 'vitest';
import { job, jobWithoutTable } from '#lib/handler/job';
import { invocation } from '../support/endpoints.ts';
import { logLines } from '../support/log-lines.ts';

vi.stubEnv('TABLE_NAME', 'table').stubEnv('INSTANCE', 'test');
const lines = logLines();

const DEFINITION = { id: 'test.job', summary: '', trigger: { everyMinutes: 1 }, needs: [] } as const;
const SECRET = `cst_${'x'.repeat(36)}`;

test('a job has its event, its runtime and the ID of its run, and answers its result', async () => {
  const handler = job(DEFINITION, async ({ n }: { n: number }, { table }, id) => [n + 1, table.name, id]);
  expect(await handler({ n: 1 }, invocation())).toEqual([2, 'table', 'lambda-1']);
  expect(lines).toEqual([]);
});

test('a job without a table reads no variable of one', async () => {
  vi.stubEnv('TABLE_NAME', '');
  const handler = jobWithoutTable(DEFINITION, async (n: number) => [n]);
  expect(await handler(1, invocation())).toEqual([1]);
  vi.stubEnv('TABLE_NAME', 'table');
});

test('a job that throws fails, and logs the reason without a credential', async () => {
  const error = new Error(`why: ${SECRET}`, { cause: new TypeError(`since ${SECRET}`) });
  const handler = job(DEFINITION, async () => {
    throw error;
  });
  await expect(handler({ secret: SECRET }, invocation())).rejects.toBe(error);
  const cause = { name: 'TypeError', message: 'since [redacted]', stack: expect.any(Array) };
  const stack = expect.arrayContaining([expect.stringContaining('job.test.ts')]);
  const logged = { name: 'Error', message: 'why: [redacted]', stack, cause };
  expect(lines).toStrictEqual([
    { level: 'error', function: 'test.job', requestId: 'lambda-1', error: logged },
  ]);
});
