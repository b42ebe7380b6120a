import { expect, test } from 'vitest';
import { openCursor, prepareCursors, sealCursor } from '#lib/table/cursor';
import { cursorSecretKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { type Guard, openTable } from '#lib/table/table';
import { put, remove } from '#lib/table/write';
import { DOWN } from '../../wire/dynamodb-proxy.ts';
import { openTestTable } from '../support/engine.ts';

const { table, wire, operations } = await openTestTable();
await put(table, cursorSecretKey, { secret: 'secret-1' });

/** The same table in an execution environment that has just started. */
const freshly = () => openTable(table.name, wire.url);

const SEALED = 'YWRh.6Uq8CFVbsy6qtVPQKLsbmQkUyNSJ35JhGupW37qcmDA';

const expectRefused = (cursor: string) =>
  expect(openCursor(table, 'accounts', cursor)).rejects.toMatchObject({
    code: 'invalid_request',
    errors: [{ field: 'cursor', message: 'Must be a next_cursor of this listing' }],
  });

test.each(['ada', '', 'ada#token', 'ada?&=+/', 'ünïcode\u0000', 'x'.repeat(500)])(
  'a cursor is text for a query and opens to its position: %j',
  async (position) => {
    const cursor = await sealCursor(table, 'accounts', position);
    expect(cursor).toMatch(/^[\w.-]+$/);
    expect(await openCursor(table, 'accounts', cursor)).toBe(position);
  },
);

test('a cursor is valid after a deployment, since it is a position with an HMAC', async () => {
  expect(await sealCursor(table, 'accounts', 'ada')).toBe(SEALED);
});

test('a cursor is refused with any character changed, removed or doubled', async () => {
  const forged = [...SEALED].flatMap((character, position) =>
    ['', 'A', 'b', '_', '.', `${character}${character}`]
      .filter((other) => other !== character)
      .map((other) => SEALED.slice(0, position) + other + SEALED.slice(position + 1)),
  );
  for (const cursor of forged) await expectRefused(cursor);
});

test.each([
  ...['', '.', 'YWRh', 'YWRh.', '.x', 'YWRh.x.y', 'ada', '%', 'x'.repeat(1024)],
  ...[`${SEALED}.`, `${SEALED}.x`, ` ${SEALED}`],
])('a cursor is refused as %s', async (text) => {
  await expectRefused(text);
});

test('the secret of an instance is read once for all guards of a handle, also at the same time', async () => {
  const environment = freshly();
  const guarded = () => ({ ...environment, guard: {} as Guard });
  await Promise.all([prepareCursors(guarded()), sealCursor(guarded(), 'accounts', 'ada')]);
  await openCursor(guarded(), 'tokens', await sealCursor(guarded(), 'tokens', 'ada'));
  expect(operations()).toEqual(['GetItem']);
});

test('the secret of an instance is read again after an outage', async () => {
  const environment = freshly();
  wire.script(() => DOWN);
  await expect(sealCursor(environment, 'accounts', 'ada')).rejects.toThrow();
  wire.reset();
  expect(await sealCursor(environment, 'accounts', 'ada')).toBe(SEALED);
});

test('the secret of an instance is created by the first of several listings, of 32 random bytes', async () => {
  await remove(table, cursorSecretKey);
  const cursors = await Promise.all([1, 2, 3].map(() => sealCursor(freshly(), 'accounts', 'ada')));
  expect(new Set([...cursors, SEALED]).size).toBe(2);
  const { secret = '' } = (await get(table, cursorSecretKey)) ?? {};
  expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
  expect(await openCursor(freshly(), 'accounts', cursors[0] as string)).toBe('ada');
  await put(table, cursorSecretKey, { secret: 'secret-1' });
});
