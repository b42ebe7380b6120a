import { createHmac, timingSafeEqual } from 'node:crypto';
import { bestEffort } from '../async/best-effort.ts';
import { invalid } from '../failure/failure.ts';
import { cursorSecretKey } from './keys.ts';
import { tableSecret } from './secret.ts';
import type { Table } from './table.ts';

/**
 * Creates a cursor: a position in a listing, signed by the instance.
 *
 * @param listing name of the listing, and anything else that the cursor is bound to
 */
export async function sealCursor(table: Table, listing: string, position: string): Promise<string> {
  const text = Buffer.from(position).toString('base64url');
  return `${text}.${await sign(table, listing, text)}`;
}

/**
 * Returns the position of a cursor.
 *
 * @throws Failure `invalid_request` unless this instance created the cursor for this listing
 */
export async function openCursor(table: Table, listing: string, cursor: string): Promise<string> {
  const [text = ''] = cursor.split('.', 1);
  const expected = `${text}.${await sign(table, listing, text)}`;
  if (!equal(cursor, expected)) throw invalid('cursor', 'Must be a next_cursor of this listing');
  return Buffer.from(text, 'base64url').toString();
}

function equal(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

const sign = async (table: Table, listing: string, text: string) =>
  createHmac('sha256', await tableSecret(table, cursorSecretKey))
    .update(`${listing}\n${text}`)
    .digest('base64url');

/** Reads the secret in parallel with the reads of a page, before a cursor may be needed. */
export const prepareCursors = (table: Table) => bestEffort(tableSecret(table, cursorSecretKey));
