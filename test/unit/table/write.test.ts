import { expect, test } from 'vitest';
import { accountKey } from '#lib/table/keys';
import { put } from '#lib/table/write';
import { openTestTable } from '../engine.ts';

const { table, operations } = await openTestTable();

test('smoke', async () => {
  await put(table, accountKey('a'), { x: 1 } as never);
  expect(operations()).toEqual(['PutItem']);
});
