import { expect, test, vi } from 'vitest';
import { optimistically } from '#lib/table/optimistic';
import { ConditionFailed } from '#lib/table/write';

/** A write that finds each of these items instead of the given one, and then succeeds. */
function writeAfter(...found: unknown[]) {
  const left = [...found];
  return vi.fn(async (item: unknown) =>
    left.length > 0 ? new ConditionFailed(left.shift()) : { written: item },
  );
}

const unavailable = { code: 'unavailable', retryAfter: 1 };

test.each([
  ['is attempted once when nobody was quicker', [], ['first']],
  [
    'is repeated with each item that another writer has stored',
    ['second', undefined, 'fourth', 'fifth'],
    ['first', 'second', undefined, 'fourth', 'fifth'],
  ],
])('an optimistic write %s', async (_what, found, seen) => {
  const write = writeAfter(...found);
  expect(await optimistically('first', write)).toEqual({ written: seen.at(-1) });
  expect(write.mock.calls).toEqual(seen.map((item) => [item]));
});

test.each([
  [undefined, 5],
  [2, 2],
])(
  'an optimistic write is unavailable when another writer was quicker each time: %s attempts',
  async (attempts, made) => {
    const write = writeAfter(2, 3, 4, 5, 6);
    await expect(optimistically(1, write, attempts)).rejects.toMatchObject(unavailable);
    expect(write).toHaveBeenCalledTimes(made);
  },
);

test('an optimistic write throws the error of the write at once', async () => {
  const broken = vi.fn(() => Promise.reject(new Error('broken')));
  await expect(optimistically(1, broken)).rejects.toThrow('broken');
  expect(broken).toHaveBeenCalledTimes(1);
});
