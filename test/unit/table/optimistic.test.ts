import { expect, test, vi } from 'vitest';
import { optimistically } from '#lib/table/optimistic';
import { ConditionFailed } from '#lib/table/write';

test('an optimistic write is attempted five times by default, each with the item that was stored last', async () => {
  const write = vi.fn(async (n: number) => new ConditionFailed(n + 1));
  await expect(optimistically(1, write)).rejects.toMatchObject({ code: 'unavailable', retryAfter: 1 });
  expect(write.mock.calls).toEqual([[1], [2], [3], [4], [5]]);
});
