import { expect, test, vi } from 'vitest';

test('a job that throws makes its invocation fail, and logs why, without a credential', async () => {
  vi.stubEnv('TABLE_NAME', 'table').stubEnv('INSTANCE', 'test');
  const { job } = await import('#lib/function/job');
  const written: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  const definition = { id: 'test.job', summary: '', trigger: { everyMinutes: 1 }, needs: [] } as const;
  const handler = job(definition, async ({ secret }: { secret: string }) => {
    throw new Error(`why: ${secret}`);
  });
  const secret = `cst_${'x'.repeat(36)}`;
  await expect(handler({ secret }, { awsRequestId: 'r-1' } as never)).rejects.toThrow(secret);
  vi.restoreAllMocks();
  expect(JSON.parse(written.join(''))).toMatchObject({
    level: 'error',
    function: 'test.job',
    requestId: 'r-1',
    error: { name: 'Error', message: 'why: [redacted]' },
  });
});
