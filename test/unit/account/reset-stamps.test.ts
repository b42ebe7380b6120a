import { expect, test } from 'vitest';
import { readAccounts } from '#lib/account/account';
import { endSessions, resetStamps, stampedAt } from '#lib/account/reset-stamp';
import type { Progress } from '#lib/table/bulk';
import { DOWN } from '../../wire/dynamodb-proxy.ts';
import { openTestTable } from '../support/engine.ts';
import { failing } from '../table/inputs.ts';

const { runtime, table, wire, account, stored, operations } = await openTestTable();
const accounts = await Promise.all(Array.from({ length: 40 }, () => account()));
const names = accounts.map(({ username }) => username);

const stamps = async () => (await readAccounts(table, names)).map((found) => found?.stamp);
const setsStamp = (item: unknown) => JSON.stringify(item).includes('SET stamp');

/** A time after all stamps so far: stamps are created by the clock of the machine. */
async function afterAllStamps(): Promise<number> {
  const start = Date.now();
  while (Date.now() === start) await new Promise(setImmediate);
  return Date.now();
}

test.each([
  ['version 7', '01a1fff2-51bd-7009-b85d-cbbdcd9585df', 0x01a1fff251bd],
  ['another version', '01a1fff2-51bd-4009-b85d-cbbdcd9585df', 0],
  ['another form', 'stamp', 0],
  ['more than a UUID', 'x01a1fff2-51bd-7009-b85d-cbbdcd9585df', 0],
])('stampedAt returns the time of a UUID, and 0 for others: %s', (_what, stamp, time) => {
  expect(stampedAt(stamp)).toBe(time);
});

test('stampedAt returns the time of a new stamp', () => {
  const before = Date.now();
  const time = stampedAt(runtime.uuid());
  expect(time).toBeGreaterThanOrEqual(before);
  expect(time).toBeLessThanOrEqual(Date.now());
});

test('resetStamps changes each stamp in spite of a short outage, and reports the progress', async () => {
  const before = await stamps();
  // The SDK makes three attempts, and 16 stamps are changed at a time.
  const left: Record<string, number> = { BatchGetItem: 3, UpdateItem: 33 };
  wire.script((operation) => {
    const faults = left[operation] ?? 0;
    left[operation] = faults - 1;
    return faults > 0 ? DOWN : undefined;
  });
  const reported: Progress[] = [];
  const report = (progress: Progress) => reported.push(progress);
  const { accounts: all, reset } = await resetStamps(runtime, await afterAllStamps(), report);
  expect(new Set([...before, ...(await stamps())]).size).toBe(2 * names.length);
  expect(reset).toBe(all);
  expect(reported.at(-1)).toEqual({ done: all, total: all });
});

test('resetStamps changes a stamp of the future, which only a thief can have written', async () => {
  const it = await account({ stamp: 'ffffffff-51bd-7009-b85d-cbbdcd9585df' });
  await resetStamps(runtime, await afterAllStamps());
  expect((await stored(it)).stamp).not.toBe(it.stamp);
});

test('resetStamps changes no stamp twice when it is repeated after an interruption', async () => {
  const [time, before] = [await afterAllStamps(), await stamps()];
  let written = 0;
  wire.script((operation, input) =>
    operation === 'UpdateItem' && setsStamp(input) && ++written > 15
      ? { status: 400, body: { __type: 'AccessDeniedException' } }
      : undefined,
  );
  const recorded: string[] = [];
  const record = async (usernames: readonly string[]) => void recorded.push(...usernames);
  await expect(resetStamps(runtime, time, undefined, record)).rejects.toMatchObject({
    name: 'AccessDeniedException',
  });
  expect(recorded).toHaveLength(15);
  wire.reset();
  const changed = (await stamps()).filter((stamp) => !before.includes(stamp));
  const { accounts: all, reset } = await resetStamps(runtime, time);
  expect(reset).toBe(all - 15);
  const after = await stamps();
  expect(after).toEqual(expect.arrayContaining(changed));
  expect(after.filter((stamp) => before.includes(stamp))).toEqual([]);
  expect(await resetStamps(runtime, time)).toEqual({ accounts: all, reset: 0 });
  const times = after.map((stamp = '') => stampedAt(stamp));
  await resetStamps(runtime, Math.max(...times));
  const kept = (await stamps()).filter((stamp) => after.includes(stamp));
  expect(kept, 'the stamps of this time').toHaveLength(
    times.filter((one) => one === Math.max(...times)).length,
  );
});

test('endSessions changes the stamp once, and not a stamp that is newer than the request', async () => {
  const ada = await account();
  await endSessions(runtime, ada);
  const { stamp } = await stored(ada);
  expect(stamp).not.toBe(ada.stamp);
  await endSessions(runtime, ada);
  expect((await stored(ada)).stamp).toBe(stamp);
});

test('endSessions changes the stamp when the first answer is lost', async () => {
  const ada = await account();
  wire.reset();
  wire.script(failing('lose', 1));
  expect(await endSessions(runtime, ada)).toBeUndefined();
  expect(operations()).toEqual(['UpdateItem', 'UpdateItem']);
  expect((await stored(ada)).stamp).not.toBe(ada.stamp);
});
