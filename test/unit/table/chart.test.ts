import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { CHART } from '#lib/table/chart';
import { PARTITIONS } from '#lib/table/keys';

const hash = (text: string) => createHash('sha256').update(text).digest('hex');

test('the chart shows the key of every kind of item, and the index it stands in', () => {
  expect(CHART.map(({ key: { PK, SK }, index }) => [PK, SK, index?.slice(0, 4)])).toEqual([
    ['ACCOUNT#<username>', 'ACCOUNT', 'GSI1'],
    ['PASSWORD#<username>', 'PASSWORD', undefined],
    ['ACCOUNT#<username>', 'PASSWORD', undefined],
    ['ACCOUNT#<username>', 'PROPERTIES', undefined],
    ['ACCOUNT#<username>', 'TOKEN#<name>', undefined],
    ['ACCOUNT#<username>', `MADE#${hash('<key>')}`, undefined],
    ['TOKEN#<sha256>', 'TOKEN', 'GSI1'],
    [`ATTEMPTS#${hash('<username>')}`, 'NAME', undefined],
    [`ATTEMPTS#${hash('<username>')}`, 'FROM#<address>', undefined],
    [`ATTEMPTS#${hash('<address>')}`, 'ADDRESS', undefined],
    [expect.stringMatching(/^CANCELLED#[0-7]$/), '<cancelled_at>#<username>', undefined],
    ['TEAMS', '<short>', undefined],
    ['OUTBOX', '<id>', undefined],
    ['KEYS', 'PUBLIC#<kid>', undefined],
    ['KEYS', 'CURSOR', undefined],
    ['STATS', 'PASSWORD_COST', undefined],
    ['STATS', expect.stringMatching(/^<counter>#[0-7]$/), undefined],
    [expect.stringMatching(/^SLICE#\d+$/), 'SLICE', undefined],
  ]);
});

test('the chart has every partition', () => {
  const partitions = new Set(CHART.map(({ key: { PK } }) => PK.replace(/#.*/, '#')));
  expect([...partitions].sort()).toEqual(Object.values(PARTITIONS).sort());
});

test('the chart tells each kind of item, and the shards of the listings', () => {
  expect(new Set(CHART.map(({ item }) => item)).size).toBe(CHART.length);
  expect(CHART.flatMap(({ index }) => index ?? [])).toEqual([
    'GSI1: the directory, in 8 shards',
    'GSI1: all tokens, in 8 shards',
  ]);
});
