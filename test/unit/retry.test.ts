import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { AGAIN, PATIENT, retry } from '#lib/retry';

const random = vi.spyOn(Math, 'random');
beforeEach(() => {
  random.mockReset().mockReturnValue(0);
});
afterAll(() => random.mockRestore());

/** Attempts that are to be made again this many times. */
function attempts(again: number) {
  let made = 0;
  return {
    made: () => made,
    attempt: async () => (made++ < again ? AGAIN : `attempt ${made}`),
  };
}

const working = new AsyncLocalStorage<true>();

/** The waits that work asks the event loop for, in milliseconds. */
async function waitsOf(work: () => Promise<unknown>): Promise<number[]> {
  const waits: number[] = [];
  const hook = createHook({
    init(_id, type, _trigger, resource) {
      if (type === 'Timeout' && working.getStore())
        waits.push((resource as { _idleTimeout: number })._idleTimeout);
    },
  }).enable();
  await working.run(true, work).finally(() => hook.disable());
  return waits;
}

describe('an attempt', () => {
  test('that succeeds is made once, without a wait', async () => {
    const { made, attempt } = attempts(0);
    const waits = await waitsOf(async () => expect(await retry(attempt)).toBe('attempt 1'));
    expect([made(), waits]).toEqual([1, []]);
  });

  test.each([undefined, null, false, 0, ''])('may answer %j', async (answer) => {
    expect(await retry(async () => answer)).toBe(answer);
  });

  test.each([1, 6, 7])('is made again %i times, if it says so', async (again) => {
    const { made, attempt } = attempts(again);
    expect(await retry(attempt)).toBe(`attempt ${again + 1}`);
    expect(made()).toBe(again + 1);
  });

  test('is made eight times at most, and then is unavailable', async () => {
    const { made, attempt } = attempts(8);
    await expect(retry(attempt)).rejects.toMatchObject({ code: 'unavailable', retryAfter: 1 });
    expect(made()).toBe(8);
  });

  test('that throws is not made again', async () => {
    let made = 0;
    const broken = async () => {
      made++;
      throw new Error('broken');
    };
    await expect(retry(broken)).rejects.toThrow('broken');
    expect(made).toBe(1);
  });
});

test('the waits between attempts are a random part of 20 ms, 40 ms and so on', async () => {
  random.mockReturnValue(0.125);
  const waits = await waitsOf(() => retry(attempts(7).attempt));
  expect(waits).toEqual([20, 40, 80, 160, 320, 640, 1280].map((longest) => longest / 8));
  expect(random).toHaveBeenCalledTimes(7);
});

test('what must get through is tried for 8 s at most', async () => {
  random.mockReturnValue(1 / 16);
  const { made, attempt } = attempts(1000);
  const waits = await waitsOf(() =>
    expect(retry(attempt, PATIENT)).rejects.toMatchObject({ code: 'unavailable' }),
  );
  const longest = waits.map((wait) => wait * 16);
  expect(made()).toBe(160);
  expect(longest).toEqual([20, 40, ...Array(157).fill(50)]);
  expect(longest.reduce((sum, wait) => sum + wait)).toBeLessThanOrEqual(8000);
});
