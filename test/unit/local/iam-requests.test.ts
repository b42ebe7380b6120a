import { expect, test } from 'vitest';
import { confinement } from '#infra/local/services/iam/confinement';
import { arnsIn, attributesOf, iamRequestsOf } from '#infra/local/services/iam/requests';

const arns = arnsIn('eu-west-1');
const [TABLE, KEYS] = [arns.table('t'), 'dynamodb:LeadingKeys'];
const key = (PK: string) => ({ PK: { S: PK }, SK: { S: 'x' } });
const named = { ExpressionAttributeNames: { '#p': 'PK', '#s': 'SK' } };

test.each<[string, object, string[]]>([
  ['GetItem', { Key: key('KEYS') }, [`GetItem ${TABLE} KEYS`]],
  ['Query', { KeyConditionExpression: '#s > :x AND #p=:pk', ...named }, [`Query ${TABLE} OUTBOX`]],
  [
    'Query',
    { KeyConditionExpression: 'GSI1PK = :pk', IndexName: 'GSI1' },
    [`Query ${TABLE}/index/GSI1 OUTBOX`],
  ],
  ['BatchGetItem', { RequestItems: { t: { Keys: [key('A'), key('B')] } } }, [`BatchGetItem ${TABLE} A,B`]],
  [
    'TransactWriteItems',
    {
      TransactItems: [
        { Put: { TableName: 't', Item: key('A') } },
        { Delete: { TableName: 't', Key: key('B') } },
      ],
    },
    [
      `PutItem ${TABLE} A TransactWriteItems`,
      `PutItem ${TABLE} A,B TransactWriteItems`,
      `DeleteItem ${TABLE} B TransactWriteItems`,
      `DeleteItem ${TABLE} A,B TransactWriteItems`,
    ],
  ],
  ['Scan', {}, [`Scan ${TABLE}`]],
])('the access of %s has an action, a resource and partition keys: %j', (operation, input, expected) => {
  const ExpressionAttributeValues = { ':pk': { S: 'OUTBOX' }, ':x': { S: 'no' } };
  const call = { TableName: 't', ExpressionAttributeValues, ...input };
  const found = iamRequestsOf(`DynamoDB_20120810.${operation}`, call, arns);
  const texts = found.map(({ action, resource, context }) =>
    [action.replace('dynamodb:', ''), resource, context[KEYS], context['dynamodb:EnclosingOperation']].join(
      ' ',
    ),
  );
  expect(texts.map((text) => text.trim())).toEqual(expected);
});

test('the access to a bus or a secret names each of them, by name or ARN', () => {
  const put = iamRequestsOf('AWSEvents.PutEvents', { Entries: [{ EventBusName: 'arn:x/own' }, {}] }, arns);
  expect(put.map(({ resource }) => resource)).toEqual([arns.bus('own'), arns.bus('default')]);
  for (const SecretId of ['s', `${arns.secret('s')}-local0`])
    expect(iamRequestsOf('secretsmanager.GetSecretValue', { SecretId }, arns)).toMatchObject([
      { action: 'secretsmanager:GetSecretValue', resource: arns.secret('s') },
    ]);
});

test('a call of CloudWatch Logs names the stream, in the account that is given', () => {
  const input = { logGroupName: '/group', logStreamName: 'functions', logEvents: [] };
  const found = iamRequestsOf('Logs_20140328.PutLogEvents', input, arnsIn('eu-west-1', '111122223333'));
  const resource = 'arn:aws:logs:eu-west-1:111122223333:log-group:/group:log-stream:functions';
  expect(found).toEqual([{ action: 'logs:PutLogEvents', resource, context: {} }]);
});

test('a write names the attributes of its key and its expressions, but no values and functions', () => {
  const input = {
    Key: key('A'),
    UpdateExpression:
      'SET roles = list_append(#old.inner[0], :roles), stamp=if_not_exists(stamp, :s) REMOVE gone ADD n :by, #0 :by',
    ConditionExpression: 'attribute_not_exists(#old) AND NOT (size(ttl) > :x) OR id IN (:a, :b)',
    ExpressionAttributeNames: { '#old': 'former', '#0': 'active:2026-11-20' },
  };
  const expected = ['PK', 'SK', 'active:2026-11-20', 'former', 'gone', 'id', 'n', 'roles', 'stamp', 'ttl'];
  expect(attributesOf(input).sort()).toEqual(expected.sort());
  expect(attributesOf({ Item: { ...key('A'), hash: { S: 'x' } } })).toEqual(['PK', 'SK', 'hash']);
});

test.each([
  ['GetItem', { Key: key('PASSWORD#ada') }, 'dynamodb:GetItem  PASSWORD'],
  ['Scan', {}, 'dynamodb:Scan  t'],
  [
    'TransactWriteItems',
    { TransactItems: [{ Put: { TableName: 't', Item: key('ACCOUNT#ada') } }] },
    'dynamodb:PutItem  ACCOUNT  in TransactWriteItems  naming PK, SK',
  ],
])(
  'a confined function is refused %s as AWS does, with a line about what is missing',
  (operation, input, missing) => {
    const Resource = [`${TABLE}/index/GSI1`];
    const granted = { Effect: 'Allow', Action: ['dynamodb:Query'], Resource } as const;
    const decide = confinement(new Map([['a.b', [granted]]]), 'eu-west-1');
    const call = { TableName: 't', ...input };
    const { error, text } = decide('a.b', `DynamoDB_20120810.${operation}`, call) ?? {};
    expect(text).toBe(`denied  a.b  ${missing}`);
    const [action] = missing.split(' ');
    const refused = `is not authorized to perform: ${action} on resource: ${TABLE} because no identity-based policy`;
    expect(error).toMatchObject({ name: 'AccessDeniedException', message: expect.stringContaining(refused) });
    const query = { TableName: 't', IndexName: 'GSI1', KeyConditionExpression: 'GSI1PK = :pk' };
    expect(decide('a.b', 'DynamoDB_20120810.Query', query)).toBeUndefined();
  },
);
