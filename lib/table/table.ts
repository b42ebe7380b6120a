import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { CLIENT_LIMITS } from '../aws.ts';

/** The table and the client that reaches it. */
export interface Table {
  readonly name: string;
  readonly client: DynamoDBDocumentClient;
}

/**
 * Opens the table with the credentials and region of the environment.
 *
 * @param endpoint where DynamoDB is, if not where the environment says
 */
export const openTable = (name: string, endpoint?: string): Table => ({
  name,
  client: DynamoDBDocumentClient.from(new DynamoDBClient({ ...CLIENT_LIMITS, endpoint }), {
    marshallOptions: { removeUndefinedValues: true },
  }),
});
