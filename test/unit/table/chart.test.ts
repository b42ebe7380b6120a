import { expect, test } from 'vitest';
import { CHART } from '#lib/table/chart';
import { PARTITIONS } from '#lib/table/keys';

test('the chart has every partition, and each kind of item once', () => {
  const partitions = new Set(CHART.map(([, { PK }]) => PK.replace(/#.*/, '#')));
  expect([...partitions].sort()).toEqual(Object.values(PARTITIONS).sort());
  for (const texts of [CHART.map(([item]) => item), CHART.map(([, key]) => JSON.stringify(key))])
    expect(new Set(texts).size).toBe(CHART.length);
});

test('the chart names the items that an index lists', () => {
  const indexed = CHART.filter(([, , index]) => index !== undefined);
  expect(indexed.map(([, { PK }, index]) => [PK, index])).toEqual([
    ['ACCOUNT#<username>', 'GSI1: the directory, in 8 shards'],
    ['TOKEN#<sha256>', 'GSI1: all tokens, in 8 shards'],
    ['AUDIT#2026-11#5', 'GSI1: the entries of an account and its tokens, or of another target'],
  ]);
});
