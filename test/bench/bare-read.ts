import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { accountKey } from '#lib/table/keys';

const client = DynamoDBDocumentClient.from(new DynamoDBClient());
const TableName = process.env['TABLE_NAME'];

/** The least that an authenticated request does: it reads the account. */
export const handler = async () => {
  await client.send(new GetCommand({ TableName, Key: { ...accountKey('admin') }, ConsistentRead: true }));
  return { statusCode: 200, body: '' };
};
