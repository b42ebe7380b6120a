import { LEAD_MS } from '#lib/session/lead';
import { publicKeyItemKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import type { Table } from '#lib/table/table';
import { put } from '#lib/table/write';

/** Dates the publication of a key back, so that it signs once login has read the keys again. */
export async function publishEarlier(table: Table, kid: string): Promise<void> {
  const item = await get(table, publicKeyItemKey(kid));
  if (!item) throw new Error(`The table has no key ${kid}`);
  const published_at = Math.floor((Date.now() - LEAD_MS) / 1000) - 1;
  await put(table, publicKeyItemKey(kid), { ...item, published_at });
}
