import { describe, expect, test } from 'vitest';
import { optimistically } from '#lib/table/optimistic';
import { ConditionFailed } from '#lib/table/write';

/** A write that finds these items in place of the one it is given, one after the other, and then succeeds. */
function write(...found: unknown[]) {
  const seen: unknown[] = [];
  return {
    seen,
    attempt: async (item: unknown) => {
      seen.push(item);
      return seen.length > found.length ? { written: item } : new ConditionFailed(found[seen.length - 1]);
    },
  };
}

describe('an optimistic write', () => {
  test('is made once where nobody was quicker', async () => {
    const { seen, attempt } = write();
    expect(await optimistically('read', attempt)).toEqual({ written: 'read' });
    expect(seen).toEqual(['read']);
  });

  test('is made again with each item that somebody else has written', async () => {
    const { seen, attempt } = write('second', undefined, 'fourth', 'fifth');
    expect(await optimistically('first', attempt)).toEqual({ written: 'fifth' });
    expect(seen).toEqual(['first', 'second', undefined, 'fourth', 'fifth']);
  });

  test('is unavailable where somebody is quicker five times', async () => {
    const { seen, attempt } = write(2, 3, 4, 5, 6);
    await expect(optimistically(1, attempt)).rejects.toMatchObject({ code: 'unavailable', retryAfter: 1 });
    expect(seen).toEqual([1, 2, 3, 4, 5]);
  });

  test('is tried as often as it says', async () => {
    const { seen, attempt } = write(2, 3, 4);
    await expect(optimistically(1, attempt, 2)).rejects.toMatchObject({ code: 'unavailable' });
    expect(seen).toEqual([1, 2]);
  });

  test('throws what the write throws, at once', async () => {
    let attempts = 0;
    const broken = optimistically(1, async () => {
      attempts++;
      throw new Error('broken');
    });
    await expect(broken).rejects.toThrow('broken');
    expect(attempts).toBe(1);
  });
});
