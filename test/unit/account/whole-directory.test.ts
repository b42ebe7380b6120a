import { beforeAll, expect, test } from 'vitest';
import { resetStamps } from '#lib/account/reset-stamp';
import { surveyCosts } from '#lib/password/cost';
import { putAll } from '#lib/table/bulk';
import { accountKey, directoryIndex, passwordKey } from '#lib/table/keys';
import { getAll, MAX_BATCH } from '#lib/table/read';
import { openTestTable } from '../support/engine.ts';
import { accountItem } from '../support/items.ts';

const { table, runtime } = await openTestTable();

/** More accounts than are read at a time. */
const NAMES = Array.from({ length: MAX_BATCH + 1 }, (_, n) => `person-${n}`);

beforeAll(() =>
  putAll(
    table,
    NAMES.flatMap((username) => [
      { ...accountKey(username), ...directoryIndex(username), ...accountItem({ username }) },
      { ...passwordKey(username), hash: `$2b$07$${'x'.repeat(53)}` },
    ]),
  ),
);

test('resetStamps changes the stamp of every account of a directory of several pages', async () => {
  const read = () => getAll(table, NAMES.map(accountKey));
  const before = (await read()).map((account) => account?.stamp);
  expect(await resetStamps(runtime, Date.now() + 60_000)).toMatchObject({ reset: NAMES.length });
  const after = (await read()).map((account) => account?.stamp);
  expect(after.filter((stamp, n) => stamp === undefined || stamp === before[n])).toEqual([]);
});

test('surveyCosts counts the password of every account of a directory of several pages', async () => {
  expect(await surveyCosts(table)).toEqual([{ cost: 7, passwords: NAMES.length }]);
});
