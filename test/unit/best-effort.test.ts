import { expect, test } from 'vitest';
import { bestEffort } from '#lib/best-effort';

test('work that matters little resolves to its result, or to nothing where it fails', async () => {
  expect(await bestEffort(Promise.resolve('done'))).toBe('done');
  expect(await bestEffort(Promise.reject(new Error('broken')))).toBeUndefined();
});
