import { CreateTableCommand, DynamoDBClient, ResourceInUseException } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { Command } from 'commander';
import { readAccounts } from '#lib/account/account';
import { allUsernames } from '#lib/table/listing';
import { MAX_BATCH } from '#lib/table/read';
import type { Table } from '#lib/table/table';
import { openTarget } from '../admin/target.ts';
import { CUSTOMERS_TABLE, type Customer } from './clean-up.ts';

/**
 * Lists the customers, on the engine of a running local instance. The first call creates their table, with a customer
 * for every account.
 *
 * @param data the data directory of the instance, by default that of the last `npm start`
 */
export async function listCustomers(data?: string): Promise<Customer[]> {
  const { runtime } = await openTarget(data === undefined ? {} : { data });
  const client = DynamoDBDocumentClient.from(new DynamoDBClient());
  if (await isNew(client)) await createFrom(runtime.table, client);
  const { Items = [] } = await client.send(new ScanCommand({ TableName: CUSTOMERS_TABLE }));
  return Items as Customer[];
}

async function isNew(client: DynamoDBDocumentClient): Promise<boolean> {
  try {
    await client.send(
      new CreateTableCommand({
        TableName: CUSTOMERS_TABLE,
        KeySchema: [{ AttributeName: 'userid', KeyType: 'HASH' }],
        AttributeDefinitions: [{ AttributeName: 'userid', AttributeType: 'S' }],
        BillingMode: 'PAY_PER_REQUEST',
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof ResourceInUseException) return false;
    throw error;
  }
}

async function createFrom(accounts: Table, client: DynamoDBDocumentClient) {
  for await (const names of allUsernames(accounts, MAX_BATCH))
    for (const account of await readAccounts(accounts, names)) {
      if (!account) continue;
      const notes = `What ${account.username} has bought`;
      const Item: Customer = { userid: account.id, state: 'active', notes };
      await client.send(new PutCommand({ TableName: CUSTOMERS_TABLE, Item }));
    }
}

if (import.meta.main) {
  const { data } = new Command('node infra/example/customers.ts')
    .description('Lists the customers of the example; the first call creates one for every account.')
    .option('--data <dir>', 'data directory of the instance')
    .parse()
    .opts<{ data?: string }>();
  console.log(JSON.stringify(await listCustomers(data), null, 2));
}
