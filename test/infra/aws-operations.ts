const ITEM = {
  PK: { S: 'ACCOUNT#a' },
  n: { N: '0.5' },
  flag: { BOOL: false },
  none: { NULL: true },
  text: { S: 'žluťoučký "kůň" \u{1f40e}\\\u2028' },
  list: { L: [{ S: '' }, { M: { deep: { N: '-1e-7' } } }] },
};
const WRITE = {
  TableName: 't',
  ExpressionAttributeNames: { '#n': 'n' },
  ExpressionAttributeValues: { ':v': { M: ITEM } },
  ConditionExpression: undefined,
};
const KEY = { PK: ITEM.PK };
const LOST = { ConsumedCapacity: { TableName: 't', CapacityUnits: 0.5 } };

/** What an operation is sent in a test, and what it answers: JSON, as AWS has it. */
export interface Operation {
  readonly input: object;
  readonly answer?: object;
}

/** Every operation that functions call, by its client. */
export const OPERATIONS: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  '@aws-sdk/client-dynamodb': {
    BatchGetItem: {
      input: { RequestItems: { t: { Keys: [KEY], ConsistentRead: true } } },
      answer: { Responses: { t: [ITEM] }, UnprocessedKeys: { t: { Keys: [KEY] } } },
    },
    DeleteItem: { input: { TableName: 't', Key: KEY }, answer: {} },
    GetItem: { input: { TableName: 't', Key: KEY, ConsistentRead: true }, answer: { Item: ITEM } },
    PutItem: { input: { TableName: 't', Item: ITEM }, answer: LOST },
    Query: {
      input: { ...WRITE, KeyConditionExpression: 'PK = :v', Limit: 5, ExclusiveStartKey: KEY },
      answer: { Items: [ITEM, ITEM], Count: 2, ScannedCount: 2, LastEvaluatedKey: KEY },
    },
    TransactWriteItems: {
      input: { TransactItems: [{ Update: { ...WRITE, Key: KEY } }, { Put: { ...WRITE, Item: ITEM } }] },
      answer: {},
    },
    UpdateItem: { input: { ...WRITE, Key: KEY, UpdateExpression: 'SET n = :v' }, answer: LOST },
  },
  '@aws-sdk/client-eventbridge': {
    PutEvents: {
      input: {
        Entries: [{ EventBusName: 'b', Source: 's', Detail: '{"a":1}', Time: new Date(1_750_000_000_123) }],
      },
      answer: { FailedEntryCount: 1, Entries: [{ EventId: '1' }, { ErrorCode: 'ThrottlingException' }] },
    },
  },
  '@aws-sdk/client-secrets-manager': {
    DescribeSecret: {
      input: { SecretId: 's' },
      answer: { ARN: 'arn', CreatedDate: 1_750_000_000.123, VersionIdsToStages: { v: ['AWSCURRENT'] } },
    },
    GetSecretValue: {
      input: { SecretId: 's', VersionStage: 'AWSCURRENT' },
      answer: { ARN: 'arn', VersionId: 'v', SecretString: '{"d":1}', CreatedDate: 1_750_000_000.123 },
    },
    PutSecretValue: {
      input: { SecretId: 's', ClientRequestToken: 'v', SecretString: '{}', VersionStages: ['AWSPENDING'] },
      answer: { ARN: 'arn', VersionId: 'v', VersionStages: ['AWSPENDING'] },
    },
    UpdateSecretVersionStage: {
      input: { SecretId: 's', VersionStage: 'AWSCURRENT', MoveToVersionId: 'v', RemoveFromVersionId: 'u' },
      answer: { ARN: 'arn', Name: 's' },
    },
  },
  '@aws-sdk/client-cloudwatch-logs': {
    // The answer has no body at all.
    CreateLogStream: { input: { logGroupName: 'g', logStreamName: 's' } },
    PutLogEvents: {
      input: {
        logGroupName: 'g',
        logStreamName: 's',
        logEvents: [{ timestamp: 1_750_000_000_123, message: 'ž' }],
      },
      answer: { nextSequenceToken: '1', rejectedLogEventsInfo: { tooOldLogEventEndIndex: 1 } },
    },
  },
};
