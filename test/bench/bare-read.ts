import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { accountKey } from '#lib/table/keys';

const client = DynamoDBDocumentClient.from(new DynamoDBClient());
const TableName = process.env['TABLE_NAME'];

/** What an authenticated request costs at least where the SDK is used as it comes: the account is read, and that is all. */
export const handler = async () => {
  await client.send(
    new GetCommand({ TableName, Key: { ...accountKey('administrator') }, ConsistentRead: true }),
  );
  return { statusCode: 200, body: '' };
};
