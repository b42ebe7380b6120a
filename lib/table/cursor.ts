import { createHmac } from 'node:crypto';
import { Failure, invalid } from '../http/failure.ts';
import { cursorKeyKey } from './keys.ts';
import { get } from './read.ts';
import type { Table } from './table.ts';

/** Reads and writes the cursors of one listing: opaque positions that only this instance can make. */
export interface Cursors {
  /** @throws Failure `invalid_request` unless this listing made the cursor */
  open(cursor: string): Promise<string>;
  seal(position: string): Promise<string>;
}

/** Keys are read once per execution environment. */
export function cursors(table: Table, listing: string): Cursors {
  let key: Promise<string> | undefined;
  const readKey = () => {
    key ??= loadKey(table);
    key.catch(() => {
      key = undefined;
    });
    return key;
  };
  const sign = async (text: string) =>
    createHmac('sha256', await readKey())
      .update(`${listing}\n${text}`)
      .digest('base64url');

  return {
    async open(cursor) {
      const [text = '', signature, ...rest] = cursor.split('.');
      if (signature !== (await sign(text)) || rest.length > 0)
        throw invalid('cursor', 'Must be a next_cursor of this listing');
      return Buffer.from(text, 'base64url').toString();
    },
    async seal(position) {
      const text = Buffer.from(position).toString('base64url');
      return `${text}.${await sign(text)}`;
    },
  };
}

async function loadKey(table: Table): Promise<string> {
  const item = await get<{ secret: string }>(table, cursorKeyKey);
  if (!item) throw new Failure('unavailable', { retryAfter: 5 });
  return item.secret;
}
