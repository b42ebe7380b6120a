import { describe, expect, test } from 'vitest';
import { readAccounts } from '#lib/account/account';
import { resetStamps, stampedAt } from '#lib/account/reset-stamp';
import type { Progress } from '#lib/table/bulk';
import { openTestTable } from '../support/engine.ts';

const { runtime, table, wire, account } = await openTestTable();
const accounts = await Promise.all(Array.from({ length: 40 }, () => account()));
const names = accounts.map(({ username }) => username);

const stamps = async () => (await readAccounts(table, names)).map((found) => found?.stamp);
const stampsSetAt = (item: unknown) => JSON.stringify(item).includes(':stamp');

/** A time from now on that no stamp of before has: their times are of the clock, not of the test. */
async function laterThanAll(): Promise<number> {
  const start = Date.now();
  while (Date.now() === start) await new Promise(setImmediate);
  return Date.now();
}

describe('the time of a stamp', () => {
  test.each([
    ['of UUID version 7', '01a1fff2-51bd-7009-b85d-cbbdcd9585df', 0x01a1fff251bd],
    ['of another version is long ago', '01a1fff2-51bd-4009-b85d-cbbdcd9585df', 0],
    ['of another text is long ago', 'stamp', 0],
  ])('%s', (_what, stamp, time) => {
    expect(stampedAt(stamp)).toBe(time);
  });

  test('is when it was made', async () => {
    const before = Date.now();
    const time = stampedAt(runtime.uuid());
    expect(time).toBeGreaterThanOrEqual(before);
    expect(time).toBeLessThanOrEqual(Date.now());
  });
});

describe('a reset of all stamps', () => {
  test('changes each, and says so', async () => {
    const before = await stamps();
    const told: Progress[] = [];
    expect(await resetStamps(runtime, await laterThanAll(), (it) => told.push(it))).toEqual({
      accounts: 40,
      reset: 40,
    });
    const after = await stamps();
    expect(after.filter((stamp, index) => stamp === before[index])).toEqual([]);
    expect(new Set(after).size).toBe(40);
    expect(told.at(-1)).toEqual({ done: 40, total: 40 });
  });

  test('that was cut off is completed by another with its time, which changes none twice', async () => {
    const [time, before] = [await laterThanAll(), await stamps()];
    let written = 0;
    wire.script((operation, input) =>
      operation === 'UpdateItem' && stampsSetAt(input) && ++written > 15
        ? { status: 400, body: { __type: 'AccessDeniedException' } }
        : undefined,
    );
    await expect(resetStamps(runtime, time)).rejects.toMatchObject({ name: 'AccessDeniedException' });
    wire.reset();
    const between = await stamps();
    const changed = between.filter((stamp, index) => stamp !== before[index]);
    expect(changed).toHaveLength(15);

    expect(await resetStamps(runtime, time)).toEqual({ accounts: 40, reset: 25 });
    const after = await stamps();
    expect(after.filter((stamp) => changed.includes(stamp))).toHaveLength(15);
    expect(after.filter((stamp, index) => stamp === before[index])).toEqual([]);
    expect(await resetStamps(runtime, time)).toEqual({ accounts: 40, reset: 0 });
  });
});
