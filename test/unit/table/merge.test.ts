import { expect, test } from 'vitest';
import { directoryIndex } from '#lib/table/keys';
import { shareOf } from '#lib/table/merge';

/** In the order of the directory, the shard of each. */
const shards = Array.from({ length: 100_000 }, (_, n) => `user-${String(n).padStart(6, '0')}`).map(
  (username) => directoryIndex(username).GSI1PK,
);

/** How many pages of a size need a second read: one shard holds as much of the page as it was asked for, or more. */
function readTwice(size: number, share: number): number {
  let twice = 0;
  for (let start = 0; start + size <= shards.length; start += size) {
    const counts = Map.groupBy(shards.slice(start, start + size), (shard) => shard);
    if (Math.max(...[...counts.values()].map(({ length }) => length)) >= share) twice++;
  }
  return twice;
}

/** Its mean and 15 % more, which is too much of a large page and too little of a small one. */
const flat = (size: number) => Math.ceil((size / 8) * 1.15) + 2;

test.each([
  [10, 10_000, 2086, 41],
  [100, 1000, 709, 1],
  [1000, 100, 23, 1],
  [9000, 11, 0, 0],
])(
  'a page of %i is read in one round but for 1 in 100, of which a fixed part more was too little',
  (size, pages, before, after) => {
    expect([
      Math.floor(shards.length / size),
      readTwice(size, flat(size)),
      readTwice(size, shareOf(size)),
    ]).toEqual([pages, before, after]);
  },
);
