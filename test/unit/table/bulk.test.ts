import { expect, test } from 'vitest';
import { patiently } from '#lib/table/bulk';

const outage = Object.assign(new Error('slow down'), { name: 'ThrottlingException' });

const failing = (error: Error, times: number) => {
  let calls = 0;
  const work = async () => {
    if (calls++ < times) throw error;
    return calls;
  };
  return { work, calls: () => calls };
};
const patience = { attempts: 4, maxWaitMs: 1 };

test('patient work continues through an outage', async () => {
  expect(await patiently(failing(outage, 3).work, patience)).toBe(4);
});

test('patient work fails when the outage lasts', async () => {
  await expect(patiently(failing(outage, 4).work, patience)).rejects.toMatchObject({ code: 'unavailable' });
});

test('patient work does not retry what is refused', async () => {
  const { work, calls } = failing(new Error('refused'), 1);
  await expect(patiently(work, patience)).rejects.toThrow('refused');
  expect(calls()).toBe(1);
});
