import { expect, test } from 'vitest';
import { get } from '#lib/table/read';
import { DOWN } from '../../wire/dynamodb-proxy.ts';
import { freshKey } from '../table/things.ts';
import { openTestTable } from './engine.ts';

const { table, wire } = await openTestTable();

test('a wire records no later attempt at a command that was sent before its reset', async () => {
  let attempts = 0;
  wire.script(async () => {
    attempts++;
    wire.reset();
    return DOWN;
  });
  expect(await get(table, freshKey())).toBeUndefined();
  expect([attempts, wire.commands]).toEqual([1, []]);
});
