import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { CLIENT_LIMITS } from '../aws.ts';

/** The table and the client that reaches it. */
export interface Table {
  readonly name: string;
  readonly client: DynamoDBDocumentClient;
}

/** Opens the table with the credentials, region and endpoint of the environment. */
export const openTable = (name: string): Table => ({
  name,
  client: DynamoDBDocumentClient.from(new DynamoDBClient(CLIENT_LIMITS), {
    marshallOptions: { removeUndefinedValues: true },
  }),
});
