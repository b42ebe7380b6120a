import { expect, test, vi } from 'vitest';

test('a job that throws makes its invocation fail, and logs neither its event nor its message', async () => {
  vi.stubEnv('TABLE_NAME', 'table').stubEnv('INSTANCE', 'test');
  const { job } = await import('#lib/job');
  const written: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  const definition = { id: 'test.job', summary: '', trigger: { everyMinutes: 1 }, needs: [] } as const;
  const handler = job(definition, async ({ secret }: { secret: string }) => {
    throw new Error(secret);
  });
  await expect(handler({ secret: 'of-the-event' }, {} as never)).rejects.toThrow('of-the-event');
  vi.restoreAllMocks();
  expect(written.join('')).toContain('"function":"test.job"');
  expect(written.join('')).not.toContain('of-the-event');
});
