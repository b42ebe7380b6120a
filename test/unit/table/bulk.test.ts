import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { AT_ONCE, forEach, patiently } from '#lib/table/bulk';

const numbers = Array.from({ length: 100 }, (_, n) => n);
const outage = Object.assign(new Error('slow down'), { name: 'ThrottlingException' });

describe('work on many things', () => {
  test('is done once for each, so many at once and no more', async () => {
    const done: number[] = [];
    let [running, most] = [0, 0];
    await forEach(numbers, async (n) => {
      most = Math.max(most, ++running);
      await sleep(1);
      running--;
      done.push(n);
    });
    expect(done.sort((a, b) => a - b)).toEqual(numbers);
    expect(most).toBe(AT_ONCE);
  });

  test('ends with the first error, once what is under way has ended', async () => {
    let [started, ended] = [0, 0];
    const work = async (n: number) => {
      started++;
      await sleep(1);
      ended++;
      if (n === 20) throw new Error('refused');
    };
    await expect(forEach(numbers, work)).rejects.toThrow('refused');
    expect(ended).toBe(started);
    expect(started).toBeLessThan(20 + 2 * AT_ONCE);
  });
});

describe('patient work', () => {
  const failing = (error: Error, times: number) => {
    let calls = 0;
    const work = async () => {
      if (calls++ < times) throw error;
      return calls;
    };
    return { work, calls: () => calls };
  };
  const patience = { attempts: 4, maxWaitMs: 1 };

  test('goes on through an outage', async () => {
    expect(await patiently(failing(outage, 3).work, patience)).toBe(4);
  });

  test('ends when it lasts', async () => {
    await expect(patiently(failing(outage, 4).work, patience)).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('does not try again what is refused', async () => {
    const { work, calls } = failing(new Error('refused'), 1);
    await expect(patiently(work, patience)).rejects.toThrow('refused');
    expect(calls()).toBe(1);
  });
});
