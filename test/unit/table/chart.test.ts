import { expect, test } from 'vitest';
import { CHART } from '#lib/table/chart';
import { PARTITIONS } from '#lib/table/keys';

test('the chart has every partition, and each kind of item once', () => {
  const partitions = new Set(CHART.map(([, { PK }]) => PK.replace(/#.*/, '#')));
  expect([...partitions].sort(), 'Add the item to lib/table/chart.ts').toEqual(
    Object.values(PARTITIONS).sort(),
  );
  for (const texts of [CHART.map(([item]) => item), CHART.map(([, key]) => JSON.stringify(key))])
    expect(new Set(texts).size).toBe(CHART.length);
});
