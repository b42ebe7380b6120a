import { randomBytes } from 'node:crypto';
import type { TableSecret } from '../item/instance.ts';
import { expecting } from './expressions.ts';
import type { Key } from './keys.ts';
import { get } from './read.ts';
import type { Table } from './table.ts';
import { put } from './write.ts';

/** Secrets by client and sort key. */
const secrets = new WeakMap<Table['client'], Map<string, Promise<string>>>();

/**
 * A secret that the instance signs with: read once per execution environment, for all guarded handles. Its first use creates
 * it; it never changes and is restored with the table.
 */
export function tableSecret({ client, name }: Table, key: Key<TableSecret>): Promise<string> {
  const ofClient = secrets.get(client) ?? new Map<string, Promise<string>>();
  secrets.set(client, ofClient);
  const known = ofClient.get(key.SK);
  if (known) return known;
  const reading = readSecret({ client, name }, key);
  ofClient.set(key.SK, reading);
  reading.catch(() => ofClient.delete(key.SK));
  return reading;
}

async function readSecret(table: Table, key: Key<TableSecret>): Promise<string> {
  const item = await get(table, key);
  if (item) return item.secret;
  const secret = randomBytes(32).toString('base64url');
  // Another function may be faster.
  const failed = await put(table, key, { secret }, expecting({ secret: undefined }));
  return failed?.item?.secret ?? secret;
}
