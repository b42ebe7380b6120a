import { CreateTableCommand, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { attributesOf, indexOf, keySchema } from '#infra/table/checks';
import { putAll } from '#lib/table/bulk';
import { TABLE } from '#lib/table/shape';
import type { Table } from '#lib/table/table';

/**
 * Makes a table of what another one holds at this moment, as a restore to a point in time does: keys, indexes and items
 * are there; expiry, protection and recovery are not. The embedded engine has no backups, so it is copied item by item.
 *
 * @returns the new table
 */
export async function restoreTable(table: Table, name: string): Promise<Table> {
  const { client } = table;
  await client.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [TABLE, ...TABLE.indexes].flatMap(attributesOf),
      KeySchema: keySchema(TABLE),
      GlobalSecondaryIndexes: TABLE.indexes.map(indexOf),
    }),
  );
  await waitUntilTableExists({ client, maxWaitTime: 30, minDelay: 1, maxDelay: 1 }, { TableName: name });
  const scan = paginateScan({ client }, { TableName: table.name, ConsistentRead: true });
  for await (const { Items = [] } of scan) await putAll({ name, client }, Items);
  return { name, client };
}
