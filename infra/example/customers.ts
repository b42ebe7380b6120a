import { parseArgs } from 'node:util';
import { CreateTableCommand, ResourceInUseException } from '@aws-sdk/client-dynamodb';
import { PutCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import { DIRECTORY } from '#lib/table/keys';
import { everythingIn } from '#lib/table/listing';
import { openTarget } from '../admin/target.ts';
import { type Customer, CUSTOMERS_TABLE as TableName } from './clean-up.ts';

// Lists the customers, on the engine of a running local instance: that of the last `npm start`, or of `--data`. The first
// call creates their table, with a customer for every account.
const { values } = parseArgs({ options: { data: { type: 'string' } } });
const { table } = (await openTarget(values)).runtime;
const isNew = await table.client
  .send(
    new CreateTableCommand({
      TableName,
      KeySchema: [{ AttributeName: 'userid', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'userid', AttributeType: 'S' }],
      BillingMode: 'PAY_PER_REQUEST',
    }),
  )
  .catch((error) => {
    if (!(error instanceof ResourceInUseException)) throw error;
  });
if (isNew)
  for await (const accounts of everythingIn(table, DIRECTORY))
    for (const { id: userid, username } of accounts) {
      const Item: Customer = { userid, state: 'active', notes: `What ${username} has bought` };
      await table.client.send(new PutCommand({ TableName, Item }));
    }
const customers: unknown[] = [];
for await (const { Items = [] } of paginateScan({ client: table.client }, { TableName }))
  customers.push(...Items);
console.log(JSON.stringify(customers, null, 2));
