import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { AGAIN, PATIENT, retry } from '#lib/async/retry';

const random = vi.spyOn(Math, 'random');
beforeEach(() => {
  random.mockReset().mockReturnValue(0);
});
afterAll(() => random.mockRestore());

/** Work that requests another attempt this many times, and then returns the number of its attempt. */
const failing = (times: number) => {
  let made = 0;
  return vi.fn(async () => (made++ < times ? AGAIN : made));
};

const working = new AsyncLocalStorage<true>();

/** The waits that work requests from the event loop, in milliseconds. */
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

test.each([undefined, null, false, 0, ''])('retry returns the answer %j at once', async (answer) => {
  const work = vi.fn(async () => answer);
  expect(await retry(work)).toBe(answer);
  expect(work).toHaveBeenCalledTimes(1);
});

test('retry is unavailable after eight attempts', async () => {
  const work = failing(8);
  await expect(retry(work)).rejects.toMatchObject({ code: 'unavailable', retryAfter: 1 });
  expect(work).toHaveBeenCalledTimes(8);
});

test('retry does not repeat work that throws', async () => {
  const broken = vi.fn(() => Promise.reject(new Error('broken')));
  await expect(retry(broken)).rejects.toThrow('broken');
  expect(broken).toHaveBeenCalledTimes(1);
});

test('retry waits for random parts of 20 ms, 40 ms and so on', async () => {
  random.mockReturnValue(0.125);
  const waits = await waitsOf(async () => expect(await retry(failing(7))).toBe(8));
  expect(waits).toEqual([20, 40, 80, 160, 320, 640, 1280].map((longest) => longest / 8));
  expect(random).toHaveBeenCalledTimes(7);
});

test('patient work is attempted for at most 8 s', async () => {
  random.mockReturnValue(1 / 16);
  const work = failing(1000);
  const waits = await waitsOf(() =>
    expect(retry(work, PATIENT)).rejects.toMatchObject({ code: 'unavailable' }),
  );
  const longest = waits.map((wait) => wait * 16);
  expect(work).toHaveBeenCalledTimes(160);
  expect(longest).toEqual([20, 40, ...Array(157).fill(50)]);
  expect(longest.reduce((sum, wait) => sum + wait)).toBeLessThanOrEqual(8000);
});
