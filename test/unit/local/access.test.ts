import { describe, expect, test } from 'vitest';
import { accessesOf, arnsIn, attributesOf } from '#infra/local/iam/access';

const arns = arnsIn('eu-west-1');
const TABLE = 'arn:aws:dynamodb:eu-west-1:000000000000:table/t';
const key = (PK: string) => ({ PK: { S: PK }, SK: { S: 'x' } });
const KEYS = 'dynamodb:LeadingKeys';

/** What a call asks for, as `<action> <resource> <leading keys>`. */
const asked = (target: string, input: object) =>
  accessesOf(target, input as never, arns).map(
    ({ action, resource, context }) => `${action} ${resource} ${(context[KEYS] ?? []).join()}`,
  );
const onTable = (operation: string, input: object) =>
  asked(`DynamoDB_20120810.${operation}`, { TableName: 't', ...input });

describe('a call asks for', () => {
  const values = { ':pk': { S: 'OUTBOX' }, ':x': { S: 'no' } };
  test.each<[string, string[], string[]]>([
    ['an item', onTable('GetItem', { Key: key('KEYS') }), [`dynamodb:GetItem ${TABLE} KEYS`]],
    ['a put', onTable('PutItem', { Item: key('A#1') }), [`dynamodb:PutItem ${TABLE} A#1`]],
    [
      'a range',
      onTable('Query', { KeyConditionExpression: 'PK = :pk AND SK = :x', ExpressionAttributeValues: values }),
      [`dynamodb:Query ${TABLE} OUTBOX`],
    ],
    [
      'a range named otherwise',
      onTable('Query', {
        KeyConditionExpression: '#s > :x AND #p=:pk',
        ExpressionAttributeNames: { '#p': 'PK', '#s': 'SK' },
        ExpressionAttributeValues: values,
      }),
      [`dynamodb:Query ${TABLE} OUTBOX`],
    ],
    [
      'a range of an index',
      onTable('Query', {
        IndexName: 'GSI1',
        KeyConditionExpression: 'GSI1PK = :pk',
        ExpressionAttributeValues: values,
      }),
      [`dynamodb:Query ${TABLE}/index/GSI1 OUTBOX`],
    ],
    [
      'several items at once',
      asked('DynamoDB_20120810.BatchGetItem', { RequestItems: { t: { Keys: [key('A'), key('B')] } } }),
      [`dynamodb:BatchGetItem ${TABLE} A,B`],
    ],
    [
      'each write of a transaction, with the keys of all',
      asked('DynamoDB_20120810.TransactWriteItems', {
        TransactItems: [
          { Put: { TableName: 't', Item: key('A') } },
          { ConditionCheck: { TableName: 't', Key: key('B') } },
        ],
      }),
      [`dynamodb:PutItem ${TABLE} A,B`, `dynamodb:ConditionCheckItem ${TABLE} A,B`],
    ],
    ['a whole table', onTable('Scan', {}), [`dynamodb:Scan ${TABLE} `]],
    ['SQL', asked('DynamoDB_20120810.ExecuteStatement', {}), [expect.stringMatching(/^dynamodb:ExecuteS/)]],
    [
      'each of its buses',
      asked('AWSEvents.PutEvents', { Entries: [{ EventBusName: 'arn:x/own' }, {}] }),
      ['own', 'default'].map(
        (bus) => `events:PutEvents arn:aws:events:eu-west-1:000000000000:event-bus/${bus} `,
      ),
    ],
    ...['s', 'arn:aws:secretsmanager:eu-west-1:000000000000:secret:s-local0'].map(
      (SecretId): [string, string[], string[]] => [
        `a secret by ${SecretId}`,
        asked('secretsmanager.GetSecretValue', { SecretId }),
        ['secretsmanager:GetSecretValue arn:aws:secretsmanager:eu-west-1:000000000000:secret:s '],
      ],
    ),
  ])('%s', (_, found, expected) => {
    expect(found).toEqual(expected);
  });

  test('its operation, where that is a transaction', () => {
    const input = { TransactItems: [{ Delete: { TableName: 't', Key: key('A') } }] };
    const [access] = accessesOf('DynamoDB_20120810.TransactWriteItems', input, arns);
    expect(access?.context['dynamodb:EnclosingOperation']).toEqual(['TransactWriteItems']);
  });
});

test('a write names the attributes of its key and its expressions, and neither values nor functions', () => {
  const input = {
    Key: key('A'),
    UpdateExpression:
      'SET roles = list_append(#old.inner[0], :roles), stamp=if_not_exists(stamp, :s) REMOVE gone ADD n :by',
    ConditionExpression: 'attribute_not_exists(#old) AND NOT (size(ttl) > :x) OR id IN (:a, :b)',
    ExpressionAttributeNames: { '#old': 'former' },
  };
  expect(attributesOf(input).sort()).toEqual(
    ['PK', 'SK', 'former', 'gone', 'id', 'n', 'roles', 'stamp', 'ttl'].sort(),
  );
  expect(attributesOf({ Item: { ...key('A'), hash: { S: 'x' } } })).toEqual(['PK', 'SK', 'hash']);
});
