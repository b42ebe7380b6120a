import { randomBytes } from 'node:crypto';
import type { TableSecret } from '../item/instance.ts';
import { expecting } from './expressions.ts';
import type { Key } from './keys.ts';
import { get } from './read.ts';
import type { Table } from './table.ts';
import { put } from './write.ts';

/** Secrets by client and sort key. */
const secrets = new WeakMap<Table['client'], Map<string, Promise<string>>>();

/** The secrets of a client that are known. */
function knownOf({ client }: Table): Map<string, Promise<string>> {
  const known = secrets.get(client) ?? new Map<string, Promise<string>>();
  secrets.set(client, known);
  return known;
}

/**
 * A secret that the instance signs with: read once per execution environment, for all guarded handles. Its first use creates
 * it; it never changes and is restored with the table.
 */
export function tableSecret(table: Table, key: Key<TableSecret>): Promise<string> {
  const all = knownOf(table);
  const known = all.get(key.SK);
  if (known) return known;
  const reading = readOrCreate({ client: table.client, name: table.name }, key);
  all.set(key.SK, reading);
  reading.catch(() => all.delete(key.SK));
  return reading;
}

/** The same without its creation: undefined while nothing was signed yet. */
export async function findSecret(table: Table, key: Key<TableSecret>): Promise<string | undefined> {
  const all = knownOf(table);
  const known = all.get(key.SK);
  if (known) return known;
  const item = await get(table, key);
  if (item) all.set(key.SK, Promise.resolve(item.secret));
  return item?.secret;
}

async function readOrCreate(table: Table, key: Key<TableSecret>): Promise<string> {
  const item = await get(table, key);
  if (item) return item.secret;
  const secret = randomBytes(32).toString('base64url');
  // Another function may be faster.
  const failed = await put(table, key, { secret }, expecting({ secret: undefined }));
  return failed?.item?.secret ?? secret;
}
