import { describe, expect, test } from 'vitest';
import { accessesOf, arnsIn, attributesOf } from '#infra/local/iam/access';

const arns = arnsIn('eu-west-1');
const arn = (service: string, resource: string) => `arn:aws:${service}:eu-west-1:000000000000:${resource}`;
const TABLE = arn('dynamodb', 'table/t');
const key = (PK: string) => ({ PK: { S: PK }, SK: { S: 'x' } });
const ExpressionAttributeValues = { ':pk': { S: 'OUTBOX' }, ':x': { S: 'no' } };
const query = (KeyConditionExpression: string, more: object = {}) => ({
  KeyConditionExpression,
  ExpressionAttributeValues,
  ...more,
});
const names = { ExpressionAttributeNames: { '#p': 'PK', '#s': 'SK' } };

describe('the access of a call', () => {
  test.each<[string, object, string[]]>([
    ['GetItem', { Key: key('KEYS') }, [`GetItem ${TABLE} KEYS`]],
    ['PutItem', { Item: key('A#1') }, [`PutItem ${TABLE} A#1`]],
    ['Query', query('PK = :pk AND SK = :x'), [`Query ${TABLE} OUTBOX`]],
    ['Query', query('#s > :x AND #p=:pk', names), [`Query ${TABLE} OUTBOX`]],
    ['Query', query('GSI1PK = :pk', { IndexName: 'GSI1' }), [`Query ${TABLE}/index/GSI1 OUTBOX`]],
    ['BatchGetItem', { RequestItems: { t: { Keys: [key('A'), key('B')] } } }, [`BatchGetItem ${TABLE} A,B`]],
    [
      'TransactWriteItems',
      {
        TransactItems: [
          { Put: { TableName: 't', Item: key('A') } },
          { ConditionCheck: { TableName: 't', Key: key('B') } },
        ],
      },
      [`PutItem ${TABLE} A,B`, `ConditionCheckItem ${TABLE} A,B`],
    ],
    ['Scan', {}, [`Scan ${TABLE} `]],
  ])('%s on the table has an action, a resource and the partition keys: %j', (operation, input, expected) => {
    const found = accessesOf(`DynamoDB_20120810.${operation}`, { TableName: 't', ...input }, arns);
    expect(
      found.map(
        ({ action, resource, context }) =>
          `${action.replace('dynamodb:', '')} ${resource} ${(context['dynamodb:LeadingKeys'] ?? []).join()}`,
      ),
    ).toEqual(expected);
  });

  test('in a transaction names the operation around it', () => {
    const input = { TransactItems: [{ Delete: { TableName: 't', Key: key('A') } }] };
    const [access] = accessesOf('DynamoDB_20120810.TransactWriteItems', input, arns);
    expect(access?.context['dynamodb:EnclosingOperation']).toEqual(['TransactWriteItems']);
  });

  test('to a bus or a secret names each of them, by name or ARN', () => {
    const put = accessesOf('AWSEvents.PutEvents', { Entries: [{ EventBusName: 'arn:x/own' }, {}] }, arns);
    expect(put.map(({ action, resource }) => [action, resource])).toEqual(
      ['own', 'default'].map((bus) => ['events:PutEvents', arn('events', `event-bus/${bus}`)]),
    );
    for (const SecretId of ['s', arn('secretsmanager', 'secret:s-local0')])
      expect(accessesOf('secretsmanager.GetSecretValue', { SecretId }, arns)).toMatchObject([
        { action: 'secretsmanager:GetSecretValue', resource: arn('secretsmanager', 'secret:s') },
      ]);
  });
});

test('a write names the attributes of its key and its expressions, but no values and functions', () => {
  const input = {
    Key: key('A'),
    UpdateExpression:
      'SET roles = list_append(#old.inner[0], :roles), stamp=if_not_exists(stamp, :s) REMOVE gone ADD n :by',
    ConditionExpression: 'attribute_not_exists(#old) AND NOT (size(ttl) > :x) OR id IN (:a, :b)',
    ExpressionAttributeNames: { '#old': 'former' },
  };
  const expected = ['PK', 'SK', 'former', 'gone', 'id', 'n', 'roles', 'stamp', 'ttl'];
  expect(attributesOf(input).sort()).toEqual(expected.sort());
  expect(attributesOf({ Item: { ...key('A'), hash: { S: 'x' } } })).toEqual(['PK', 'SK', 'hash']);
});
