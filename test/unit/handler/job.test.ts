import { expect, test, vi } from 'vitest';
import { job } from '#lib/handler/job';
import { invocation } from '../support/endpoints.ts';
import { logLines } from '../support/log-lines.ts';

vi.stubEnv('TABLE_NAME', 'table').stubEnv('INSTANCE', 'test');

const lines = logLines();

const DEFINITION = { id: 'test.job', summary: '', trigger: { everyMinutes: 1 }, needs: [] } as const;
const SECRET = `cst_${'x'.repeat(36)}`;

test('a job is given its event and what it works with, and answers its result', async () => {
  const handler = job(DEFINITION, async ({ n }: { n: number }, { table, instanceName }) => [
    n + 1,
    table.name,
    instanceName,
  ]);
  expect(await handler({ n: 1 }, invocation())).toEqual([2, 'table', 'test']);
  expect(lines).toEqual([]);
});

test('a job that throws makes its invocation fail, and logs why, without a credential', async () => {
  const error = new Error(`why: ${SECRET}`, { cause: new TypeError(`since ${SECRET}`) });
  const handler = job(DEFINITION, async () => {
    throw error;
  });
  await expect(handler({ secret: SECRET }, invocation())).rejects.toBe(error);
  expect(lines).toStrictEqual([
    {
      level: 'error',
      function: 'test.job',
      requestId: 'lambda-1',
      error: {
        name: 'Error',
        message: 'why: [redacted]',
        stack: expect.arrayContaining([expect.stringContaining('job.test.ts')]),
        cause: { name: 'TypeError', message: 'since [redacted]', stack: expect.any(Array) },
      },
    },
  ]);
});
