import { beforeAll, expect, inject, test } from 'vitest';
import { browseAudit } from '#lib/audit/browse';
import { storeEntries } from '#lib/audit/store';
import { SHARDS } from '#lib/table/keys';
import { openTable } from '#lib/table/table';
import { DAY_MS } from '#lib/time';
import { NOON, openTestTable } from '../support/engine.ts';
import { historyOf, lineOf } from './history.ts';

const { runtime, wire, table } = await openTestTable();
const history = historyOf(20_000);

beforeAll(async () => {
  // Without the wire.
  const direct = openTable(table.name, inject('engine'));
  await storeEntries({ ...runtime, table: direct }, history.map(lineOf));
  direct.client.destroy();
});

test.each([
  ['in a busy hour', NOON, SHARDS],
  ['after quiet weeks', NOON - 2 * DAY_MS, 3 * SHARDS],
])('a page of 100 of 20,000 entries %s reads 200', async (_, until, queries) => {
  await browseAudit(runtime, { limit: 1 });
  wire.reset();
  const { items } = await browseAudit(runtime, { limit: 100, until });
  expect(items).toEqual(history.filter(({ time }) => Date.parse(time) <= until).slice(0, 100));
  const units = wire.commands.reduce((sum, command) => sum + command.units, 0);
  expect(wire.commands).toHaveLength(queries);
  // 200 entries of 560 bytes; each query is rounded up to 4 kB.
  expect(units).toBeLessThanOrEqual(30 + queries);
});
