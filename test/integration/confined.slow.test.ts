import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DynamoDBDocumentClient,
  GetCommand,
  ScanCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { createAccount } from '#lib/account/create';
import { accountKey, passwordKey } from '#lib/table/keys';
import { openTarget } from '../../infra/admin/target.ts';
import { newFolder } from './folder.ts';
import { startInstance } from './instance-process.ts';
import { noted } from './service.ts';

const TableName = 'table-of-the-confined';
const args = ['--no-demo', '--memory', '--enforce-iam', '--table', TableName];
const instance = await startInstance({
  data: await newFolder(),
  args,
  env: { Settings__BcryptCost: '10' },
});
const { runtime } = await openTarget(instance);
await createAccount(runtime, { username: 'one', password: noted('the-password-of-one') });

const as = (userAgentAppId: string) =>
  DynamoDBDocumentClient.from(
    new DynamoDBClient({ endpoint: instance.ready.dynamodb, userAgentAppId, maxAttempts: 1 }),
  );
const readHash = new GetCommand({ TableName, Key: passwordKey('one') });
const update = (attribute: string, value: unknown) => ({
  TableName,
  Key: accountKey('one'),
  UpdateExpression: 'SET #a = :v',
  ExpressionAttributeNames: { '#a': attribute },
  ExpressionAttributeValues: { ':v': value },
});
const roles = new TransactWriteCommand({ TransactItems: [{ Update: update('roles', ['x']) }] });
type Send = (client: DynamoDBDocumentClient) => Promise<unknown>;

test.each<[string, Send]>([
  ['GetItem  PASSWORD', (client) => client.send(readHash)],
  [`Scan  ${TableName}`, (client) => client.send(new ScanCommand({ TableName }))],
  ['UpdateItem  ACCOUNT  in TransactWriteItems', (client) => client.send(roles)],
])('--enforce-iam refuses and prints %s of preview', async (missing, send) => {
  const action = `dynamodb:${missing.split(' ')[0]}`;
  const message = new RegExp(
    `^User: \\S+ is not authorized to perform: ${action} on resource: arn:aws:dynamodb:[^:]+:\\d+:table/${TableName} because no identity-based policy allows the ${action} action$`,
  );
  await expect(send(as('system.preview'))).rejects.toMatchObject({
    name: 'AccessDeniedException',
    message: expect.stringMatching(message),
  });
  await expect.poll(instance.output).toContain(`denied  system.preview  dynamodb:${missing}`);
});

test('--enforce-iam allows what a function is granted, and everything to operators', async () => {
  const activity = new UpdateCommand(update('lastActivity', '2026-01-01T00:00:00'));
  await expect(as('system.preview').send(activity)).resolves.toBeDefined();
  const { Item } = await runtime.table.client.send(readHash);
  expect(Item).toHaveProperty('hash');
});
