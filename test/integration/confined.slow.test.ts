import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
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

describe('whoever has the role of preview', () => {
  const account = accountKey('one');
  const hash = passwordKey('one');
  const rename = { UpdateExpression: 'SET #r = :r', ExpressionAttributeNames: { '#r': 'roles' } };
  const roles = { TableName: table, Key: account, ...rename, ExpressionAttributeValues: { ':r': ['x'] } };
  const activity = {
    TableName: table,
    Key: account,
    UpdateExpression: 'SET lastActivity = :now',
    ExpressionAttributeValues: { ':now': '2026-01-01T00:00:00' },
  };
  const inBatch = (...Keys: object[]) => ({ RequestItems: { [table]: { Keys } } });
  const query = { TableName: table, KeyConditionExpression: 'PK = :pk' };

  const as = (userAgentAppId: string) =>
    DynamoDBDocumentClient.from(
      new DynamoDBClient({ endpoint: instance.ready.dynamodb, userAgentAppId, maxAttempts: 1 }),
    );
  type Send = (client: DynamoDBDocumentClient) => Promise<unknown>;

  test.each<[string, Send]>([
    ['an account', (of) => of.send(new GetCommand({ TableName: table, Key: account }))],
    ['its activity', (of) => of.send(new UpdateCommand(activity))],
    [
      'that in a transaction',
      (of) => of.send(new TransactWriteCommand({ TransactItems: [{ Update: activity }] })),
    ],
  ])('may read or write %s', async (_, send) => {
    await expect(send(as('system.preview'))).resolves.toBeDefined();
  });

  test.each<[string, string, Send]>([
    ['read a hash', 'GetItem  PASSWORD', (of) => of.send(new GetCommand({ TableName: table, Key: hash }))],
    ['read it in a batch', 'BatchGetItem  PASSWORD', (of) => of.send(new BatchGetCommand(inBatch(hash)))],
    [
      'read it beside an account',
      'BatchGetItem  ACCOUNT, PASSWORD',
      (of) => of.send(new BatchGetCommand(inBatch(account, hash))),
    ],
    [
      'query it',
      'Query  PASSWORD',
      (of) => of.send(new QueryCommand({ ...query, ExpressionAttributeValues: { ':pk': hash.PK } })),
    ],
    ['read everything', `Scan  ${table}`, (of) => of.send(new ScanCommand({ TableName: table }))],
    [
      'have it answered by a write',
      'DeleteItem  PASSWORD',
      (of) => of.send(new DeleteCommand({ TableName: table, Key: hash, ReturnValues: 'ALL_OLD' })),
    ],
    [
      'put another',
      'PutItem  PASSWORD',
      (of) => of.send(new PutCommand({ TableName: table, Item: { ...hash, hash: 'x' } })),
    ],
    ['write roles', 'UpdateItem  ACCOUNT', (of) => of.send(new UpdateCommand(roles))],
    [
      'write them in a transaction',
      'UpdateItem  ACCOUNT  in TransactWriteItems',
      (of) => of.send(new TransactWriteCommand({ TransactItems: [{ Update: roles }] })),
    ],
    [
      'write them with a new account',
      'PutItem  ACCOUNT',
      (of) => of.send(new PutCommand({ TableName: table, Item: { ...account, roles: ['x'] } })),
    ],
  ])('may not %s', async (_, missing, send) => {
    const action = `dynamodb:${missing.split(' ')[0]}`;
    await expect(send(as('system.preview'))).rejects.toMatchObject({
      name: 'AccessDeniedException',
      message: expect.stringMatching(
        new RegExp(
          `^User: \\S+ is not authorized to perform: ${action} on resource: arn:aws:dynamodb:[^:]+:\\d+:table/${table} because no identity-based policy allows the ${action} action$`,
        ),
      ),
    });
    await expect.poll(instance.output).toContain(`denied  system.preview  dynamodb:${missing}`);
  });

  test('is confined as no operator is, and login reads hashes', async () => {
    const { runtime } = await openTarget(instance);
    await expect(get(runtime.table, hash)).resolves.toHaveProperty('hash');
    await expect(
      as('account.login').send(new BatchGetCommand(inBatch(account, hash))),
    ).resolves.toBeDefined();
  });
});
