import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  ScanCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from 'vitest';
import { createAccount } from '#lib/account/create';
import { accountKey, passwordKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { openTarget } from '../../infra/admin/target.ts';
import { newFolder } from './folder.ts';
import { type InstanceProcess, startInstance } from './instance-process.ts';
import { noted } from './service.ts';

const table = 'table-of-the-confined';
let instance: InstanceProcess;

beforeAll(async () => {
  const args = ['--no-demo', '--memory', '--enforce-iam', '--table', table];
  instance = await startInstance({ data: await newFolder(), args, env: { Settings__BcryptCost: '10' } });
  const { runtime } = await openTarget(instance);
  await createAccount(runtime, { username: 'one', password: noted('the-password-of-one') });
});

describe('a caller with the role of preview', () => {
  const account = accountKey('one');
  const hash = passwordKey('one');
  const update = (attribute: string, value: unknown) => ({
    TableName: table,
    Key: account,
    UpdateExpression: 'SET #a = :v',
    ExpressionAttributeNames: { '#a': attribute },
    ExpressionAttributeValues: { ':v': value },
  });
  const activity = update('lastActivity', '2026-01-01T00:00:00');
  const roles = update('roles', ['x']);
  const inBatch = (...Keys: object[]) => new BatchGetCommand({ RequestItems: { [table]: { Keys } } });
  const inTransaction = (Update: typeof roles) => new TransactWriteCommand({ TransactItems: [{ Update }] });

  const as = (userAgentAppId: string) =>
    DynamoDBDocumentClient.from(
      new DynamoDBClient({ endpoint: instance.ready.dynamodb, userAgentAppId, maxAttempts: 1 }),
    );
  type Send = (client: DynamoDBDocumentClient) => Promise<unknown>;

  test.each<[string, Send]>([
    ['read an account', (client) => client.send(new GetCommand({ TableName: table, Key: account }))],
    ['update its activity', (client) => client.send(new UpdateCommand(activity))],
    ['do so in a transaction', (client) => client.send(inTransaction(activity))],
  ])('may %s', async (_, send) => {
    await expect(send(as('system.preview'))).resolves.toBeDefined();
  });

  test.each<[string, Send]>([
    ['GetItem  PASSWORD', (client) => client.send(new GetCommand({ TableName: table, Key: hash }))],
    ['BatchGetItem  ACCOUNT, PASSWORD', (client) => client.send(inBatch(account, hash))],
    [`Scan  ${table}`, (client) => client.send(new ScanCommand({ TableName: table }))],
    [
      'PutItem  PASSWORD',
      (client) => client.send(new PutCommand({ TableName: table, Item: { ...hash, hash: 'x' } })),
    ],
    ['UpdateItem  ACCOUNT', (client) => client.send(new UpdateCommand(roles))],
    ['UpdateItem  ACCOUNT  in TransactWriteItems', (client) => client.send(inTransaction(roles))],
  ])('is refused %s', async (missing, send) => {
    const action = `dynamodb:${missing.split(' ')[0]}`;
    const message = new RegExp(
      `^User: \\S+ is not authorized to perform: ${action} on resource: arn:aws:dynamodb:[^:]+:\\d+:table/${table} because no identity-based policy allows the ${action} action$`,
    );
    await expect(send(as('system.preview'))).rejects.toMatchObject({
      name: 'AccessDeniedException',
      message: expect.stringMatching(message),
    });
    await expect.poll(instance.output).toContain(`denied  system.preview  dynamodb:${missing}`);
  });

  test('is confined unlike operators, and unlike login, which reads hashes', async () => {
    const { runtime } = await openTarget(instance);
    await expect(get(runtime.table, hash)).resolves.toHaveProperty('hash');
    await expect(as('account.login').send(inBatch(account, hash))).resolves.toBeDefined();
  });
});
