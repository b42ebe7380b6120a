import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { CreateArchiveCommand, EventBridgeClient, ListRulesCommand } from '@aws-sdk/client-eventbridge';
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, expect, inject, test } from 'vitest';
import { createClient } from '#lib/client/index';
import { admin, deploy } from './cloud.ts';
import { STACK } from './global-setup.ts';

const cloud = inject('cloud');
const outputs = inject('outputs');
const api = createClient({ url: inject('baseUrl'), credential: { token: inject('adminToken') } });
const bus = new EventBridgeClient();
const customers = DynamoDBDocumentClient.from(new DynamoDBClient());

let TableName: string;

/** A customer with an account, as the example subscriber stores it. */
async function newCustomer(username: string) {
  const { id } = await api.account.create({ username, apps: ['crm'] });
  await customers.send(new PutCommand({ TableName, Item: { userid: id, notes: 'personal' } }));
  const read = async () => (await customers.send(new GetCommand({ TableName, Key: { userid: id } }))).Item;
  return { id, read };
}

beforeAll(async () => {
  const { ArchiveArn = '', EventBusArn = '' } = outputs;
  // The emulator takes it through its API only.
  const ArchiveName = ArchiveArn.split('/').at(-1);
  await bus.send(new CreateArchiveCommand({ ArchiveName, EventSourceArn: EventBusArn }));
  const app = 'node test/stack/apps/subscriber.ts';
  const { CustomersTable } = await deploy(cloud, 'account-subscriber', {
    app,
    options: [`bus=${EventBusArn}`],
  });
  TableName = CustomersTable as string;
});

test('the example subscriber cleans up after a cancelled account', async () => {
  const { read } = await newCustomer('stack.cancelled');
  await api.account.cancel({ username: 'stack.cancelled' });
  await expect.poll(read).toMatchObject({ state: 'cancelled', transition: 1 });
  expect(await read()).not.toHaveProperty('notes');
});

test('a replay delivers archived events again', async () => {
  const { id, read } = await newCustomer('stack.replayed');
  await api.account.cancel({ username: 'stack.replayed' });
  await expect.poll(read).toMatchObject({ state: 'cancelled' });
  await customers.send(new PutCommand({ TableName, Item: { userid: id, notes: 'restored from a backup' } }));
  const EventBusName = outputs['EventBusName'] as string;
  const { Rules = [] } = await bus.send(
    new ListRulesCommand({ EventBusName, NamePrefix: 'account-subscriber' }),
  );
  await admin(cloud, STACK, 'events', 'replay', '--since', '1h', '--rule', Rules[0]?.Name as string);
  await expect.poll(read).toMatchObject({ state: 'cancelled', transition: 1 });
});
