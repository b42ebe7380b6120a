import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CreateTableCommand, DynamoDBClient, ResourceInUseException } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { readAccounts } from '#lib/account/account';
import { allUsernames } from '#lib/table/listing';
import { MAX_BATCH } from '#lib/table/read';
import type { Table } from '#lib/table/table';
import { openTarget } from '../admin/target.ts';
import type { Customer } from './clean-up.ts';

const TABLE = 'customers-of-the-example';

/** The table of the subscriber, and the client that reaches it. */
export interface Customers {
  readonly client: DynamoDBDocumentClient;
  readonly table: string;
  /** All of them: an example has few. */
  readonly all: () => Promise<Customer[]>;
}

let opened: { readonly instance: string; readonly customers: Customers } | undefined;

/**
 * The table of the subscriber, on the engine of the instance, which listens elsewhere after each start. Where it is
 * new, every account there is becomes a customer with notes, so that there is something to clean up.
 */
export async function openCustomers(data: string): Promise<Customers> {
  const instance = await readFile(join(data, 'instance.json'), 'utf8');
  if (opened?.instance === instance) return opened.customers;
  const { runtime } = await openTarget({ data });
  const client = DynamoDBDocumentClient.from(new DynamoDBClient());
  if (await isNew(client)) await createFrom(runtime.table, client);
  const all = async () =>
    ((await client.send(new ScanCommand({ TableName: TABLE }))).Items ?? []) as Customer[];
  opened = { instance, customers: { client, table: TABLE, all } };
  return opened.customers;
}

async function createFrom(accounts: Table, client: DynamoDBDocumentClient) {
  for await (const names of allUsernames(accounts, MAX_BATCH))
    for (const account of await readAccounts(accounts, names)) {
      if (!account) continue;
      const notes = `What ${account.username} has bought`;
      const Item: Customer = { userid: account.id, state: 'active', notes };
      await client.send(new PutCommand({ TableName: TABLE, Item }));
    }
}

async function isNew(client: DynamoDBDocumentClient): Promise<boolean> {
  try {
    await client.send(
      new CreateTableCommand({
        TableName: TABLE,
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
