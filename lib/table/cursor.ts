import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { bestEffort } from '../async/best-effort.ts';
import { invalid } from '../failure/failure.ts';
import { expecting } from './expressions.ts';
import { cursorSecretKey } from './keys.ts';
import { get } from './read.ts';
import type { Table } from './table.ts';
import { put } from './write.ts';

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
  createHmac('sha256', await secretOf(table))
    .update(`${listing}\n${text}`)
    .digest('base64url');

/**
 * Secrets by client: each is read once per execution environment, for all guarded handles. The first listing creates the
 * secret, which never changes and is restored with the table.
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
  if (item) return item.secret;
  const secret = randomBytes(32).toString('base64url');
  // Another listing may be faster.
  const failed = await put(table, cursorSecretKey, { secret }, expecting({ secret: undefined }));
  return failed?.item?.secret ?? secret;
}

/** Reads the secret in parallel with the reads of a page, before a cursor may be needed. */
export const prepareCursors = (table: Table) => bestEffort(secretOf(table));
