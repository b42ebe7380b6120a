import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inParallel } from '#lib/async/in-parallel';

const AT_ONCE = 4;
const numbers = Array.from({ length: 100 }, (_, n) => n);

test('inParallel does the work once for each item, as many at once as given, with the results in order', async () => {
  let [running, most] = [0, 0];
  const double = async (n: number) => {
    most = Math.max(most, ++running);
    await sleep(n % 3);
    running--;
    return 2 * n;
  };
  expect(await inParallel(numbers, double, AT_ONCE)).toEqual(numbers.map((n) => 2 * n));
  expect(most).toBe(AT_ONCE);
});

test('inParallel starts no more work after the first error, and throws it when the running work has ended', async () => {
  let [started, ended] = [0, 0];
  const work = async (n: number) => {
    started++;
    await sleep(1);
    ended++;
    if (n === 20) throw new Error('refused');
  };
  await expect(inParallel(numbers, work, AT_ONCE)).rejects.toThrow('refused');
  expect(ended).toBe(started);
  expect(started).toBeLessThan(20 + 2 * AT_ONCE);
});
