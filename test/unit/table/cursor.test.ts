import { describe, expect, test } from 'vitest';
import { openCursor, prepareCursors, sealCursor } from '#lib/table/cursor';
import { cursorSecretKey } from '#lib/table/keys';
import { type Guard, openTable } from '#lib/table/table';
import { put, remove } from '#lib/table/write';
import { openTestTable } from '../support/engine.ts';

const { table, wire, operations } = await openTestTable();
await put(table, cursorSecretKey, { secret: 'secret-1' });

/** The same table in an execution environment that has just started. */
const freshly = () => openTable(table.name, wire.url);

const refused = (cursor: string, listing = 'accounts', by = table) =>
  expect(openCursor(by, listing, cursor)).rejects.toMatchObject({
    code: 'invalid_request',
    errors: [{ field: 'cursor', message: 'Must be a next_cursor of this listing' }],
  });

test.each(['ada', '', 'ada#token', 'ünïcode\u0000', 'x'.repeat(500)])(
  'a cursor opens to its position: %j',
  async (position) => {
    const cursor = await sealCursor(table, 'accounts', position);
    expect(await openCursor(table, 'accounts', cursor)).toBe(position);
  },
);

test('a cursor is its position and an HMAC of that and the listing, and so outlives a deployment', async () => {
  expect(await sealCursor(table, 'accounts', 'ada')).toBe('YWRh.6Uq8CFVbsy6qtVPQKLsbmQkUyNSJ35JhGupW37qcmDA');
});

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

  test.each(['', '.', 'YWRh', 'YWRh.', '.x', 'YWRh.x.y', 'ada', '%', 'x'.repeat(1024)])(
    'as %s',
    async (text) => {
      await refused(text);
    },
  );

  test('with more behind it', async () => {
    const cursor = await sealCursor(table, 'accounts', 'ada');
    await refused(`${cursor}.`);
    await refused(`${cursor}.x`);
  });
});

describe('the secret of an instance', () => {
  test('is read once for each execution environment', async () => {
    const environment = freshly();
    const cursor = await sealCursor(environment, 'accounts', 'ada');
    await openCursor(environment, 'accounts', cursor);
    await sealCursor(environment, 'tokens', 'ada');
    expect(operations()).toEqual(['GetItem']);
    await sealCursor(freshly(), 'accounts', 'ada');
    expect(operations()).toEqual(['GetItem', 'GetItem']);
  });

  test('is read once whatever guards the handle, and by whoever asks at the same time', async () => {
    const environment = freshly();
    const guarded = () => ({ ...environment, guard: {} as Guard });
    await Promise.all([prepareCursors(guarded()), sealCursor(guarded(), 'accounts', 'ada')]);
    await sealCursor(guarded(), 'accounts', 'ada');
    expect(operations()).toEqual(['GetItem']);
  });

  test('opens no cursor of another instance', async () => {
    const cursor = await sealCursor(table, 'accounts', 'ada');
    await put(table, cursorSecretKey, { secret: 'secret-2' });
    await refused(cursor, 'accounts', freshly());
  });

  test('is missed, rather than left out, before the instance has its keys', async () => {
    await remove(table, cursorSecretKey);
    const environment = freshly();
    const unavailable = { code: 'unavailable', retryAfter: 5 };
    await expect(sealCursor(environment, 'accounts', 'ada')).rejects.toMatchObject(unavailable);
    await expect(openCursor(environment, 'accounts', 'YWRh.x')).rejects.toMatchObject(unavailable);
    await put(table, cursorSecretKey, { secret: 'secret-3' });
    expect(await sealCursor(environment, 'accounts', 'ada')).toMatch(/^YWRh\./);
  });
});
