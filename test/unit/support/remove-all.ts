import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Key } from '#lib/table/keys';
import type { Table } from '#lib/table/table';

/** Most items of one BatchWriteItem. */
const AT_ONCE = 25;

/** Removes items that may exist, many in a command, so that a test begins without them. */
export async function removeAll({ client, name }: Table, keys: readonly Key[]): Promise<void> {
  const all = [...new Map(keys.map((key) => [`${key.PK}\n${key.SK}`, key])).values()];
  for (let start = 0; start < all.length; start += AT_ONCE) {
    const requests = all
      .slice(start, start + AT_ONCE)
      .map(({ PK, SK }) => ({ DeleteRequest: { Key: { PK, SK } } }));
    await client.send(new BatchWriteCommand({ RequestItems: { [name]: requests } }));
  }
}
