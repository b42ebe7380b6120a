import { describe, expect, test } from 'vitest';
import { openCursor, sealCursor } from '#lib/table/cursor';
import type { Table } from '#lib/table/table';

/** A table that holds the cursor key of an instance. */
const tableOf = (secret: string | undefined) =>
  ({ name: 't', client: { send: async () => ({ Item: secret && { secret } }) } }) as unknown as Table;

const table = tableOf('secret-1');
const refused = (cursor: string, listing = 'accounts', by = table) =>
  expect(openCursor(by, listing, cursor)).rejects.toMatchObject({
    code: 'invalid_request',
    errors: [{ field: 'cursor' }],
  });

test.each(['ada', '', 'ada#token', 'ünïcode\u0000', 'x'.repeat(500)])(
  'a cursor opens to its position: %j',
  async (position) => {
    const cursor = await sealCursor(table, 'accounts', position);
    expect(await openCursor(table, 'accounts', cursor)).toBe(position);
  },
);

test('a cursor is text that a query can carry as it is', async () => {
  expect(await sealCursor(table, 'accounts', 'ada?&=+/')).toMatch(/^[\w.-]+$/);
});

describe('a cursor is refused', () => {
  test('with any one character changed, removed or doubled', async () => {
    const cursor = await sealCursor(table, 'accounts', 'ada');
    for (let position = 0; position < cursor.length; position++) {
      const [before, character, after] = [
        cursor.slice(0, position),
        cursor[position],
        cursor.slice(position + 1),
      ];
      for (const other of ['', 'A', 'b', '_', '.', `${character}${character}`])
        if (other !== character) await refused(before + other + after);
    }
  });

  test('in another listing', async () => {
    await refused(await sealCursor(table, 'accounts', 'ada'), 'tokens');
  });

  test('by another instance', async () => {
    await refused(await sealCursor(table, 'accounts', 'ada'), 'accounts', tableOf('secret-2'));
  });

  test.each(['', '.', 'YWRh', 'YWRh.', '.x', 'YWRh.x.y', 'ada', '%', 'x'.repeat(1024)])(
    'as %s',
    async (text) => {
      await refused(text);
    },
  );
});

test('before the instance has its keys, a listing is unavailable rather than unsigned', async () => {
  await expect(sealCursor(tableOf(undefined), 'accounts', 'ada')).rejects.toMatchObject({
    code: 'unavailable',
  });
});
