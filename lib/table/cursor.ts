import { createHmac, timingSafeEqual } from 'node:crypto';
import { bestEffort } from '../best-effort.ts';
import { Failure, invalid } from '../failure.ts';
import { cursorSecretKey } from './keys.ts';
import { get } from './read.ts';
import type { Table } from './table.ts';

/**
 * A cursor is a position in a listing, and a signature that only this instance can make.
 *
 * @param listing its name, and what else the cursor is bound to
 */
export async function sealCursor(table: Table, listing: string, position: string): Promise<string> {
  const text = Buffer.from(position).toString('base64url');
  return `${text}.${await sign(table, listing, text)}`;
}

/**
 * The position that a cursor of this listing stands for.
 *
 * @throws Failure `invalid_request` for any other text
 */
export async function openCursor(table: Table, listing: string, cursor: string): Promise<string> {
  const [text = '', signature = ''] = cursor.split('.', 2);
  const expected = `${text}.${await sign(table, listing, text)}`;
  if (signature.length === 0 || !equal(cursor, expected))
    throw invalid('cursor', 'Must be a next_cursor of this listing');
  return Buffer.from(text, 'base64url').toString();
}

function equal(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

const sign = async (table: Table, listing: string, text: string) =>
  createHmac('sha256', await secretOf(table))
    .update(`${listing}\n${text}`)
    .digest('base64url');

/**
 * Read once per execution environment, whatever guards a handle: it is made with the first signing key and never
 * changes. A table that is restored has the same, and one that is new has functions of its own.
 */
const secrets = new WeakMap<Table['client'], Promise<string>>();

function secretOf({ client, name }: Table): Promise<string> {
  const known = secrets.get(client);
  if (known) return known;
  const reading = readSecret({ client, name });
  secrets.set(client, reading);
  reading.catch(() => secrets.delete(client));
  return reading;
}

async function readSecret(table: Table): Promise<string> {
  const item = await get(table, cursorSecretKey);
  if (!item) throw new Failure('unavailable', { retryAfter: 5 });
  return item.secret;
}

/** Has the secret at hand by the time that a cursor may be sealed: to be asked beside the reads of a page. */
export const prepareCursors = (table: Table) => bestEffort(secretOf(table));
