import { expect, test, vi } from 'vitest';
import { get } from '#lib/table/read';
import { openTable } from '#lib/table/table';
import { put } from '#lib/table/write';
import { openTestTable } from '../support/engine.ts';
import { freshKey } from './things.ts';

const { table, wire, operations } = await openTestTable();

test('a table is reached at the endpoint that it is given', async () => {
  const key = freshKey();
  const opened = openTable(table.name, wire.url);
  expect(opened.name).toBe(table.name);
  await put(opened, key, { n: 1 });
  expect(await get(table, key)).toEqual({ ...key, n: 1 });
  expect(operations()).toEqual(['PutItem', 'GetItem']);
});

test('a table is reached where the environment says, if it is given none', async () => {
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', wire.url);
  await put(openTable(table.name), freshKey(), { n: 1 });
  expect(operations()).toEqual(['PutItem']);
});

test('an attribute without a value is left out, at any depth', async () => {
  const key = freshKey();
  const item = { n: 1, text: undefined, deep: { n: 2, text: undefined } };
  await put(openTable(table.name, wire.url), key, item);
  expect(await get(table, key)).toEqual({ ...key, n: 1, deep: { n: 2 } });
});
