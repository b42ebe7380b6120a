import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { PlainCode } from '../failure/codes.ts';
import type { Failure } from '../failure/failure.ts';
import { CLIENT_LIMITS, namingErrors } from '../network/aws.ts';
import type { Key } from './keys.ts';

/** An item and a condition on it. */
export interface Guard {
  readonly Key: Key;
  readonly ConditionExpression: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>> | undefined;
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>> | undefined;
  /** The failure when the condition does not hold; undefined if `item` satisfies it. */
  readonly otherwise: (
    item: Readonly<Record<string, unknown>> | undefined,
  ) => PlainCode | Failure | undefined;
  /** A condition on another item. A deletion of that item needs none. */
  readonly next?: Guard | undefined;
}

/** The table and the client that reaches it. */
export interface Table {
  readonly name: string;
  readonly client: DynamoDBDocumentClient;
  /** Condition added to every update and every transaction through this handle. */
  readonly guard?: Guard;
  /** Ends a read of a range through this handle. */
  readonly signal?: AbortSignal;
}

/**
 * Opens the table with the credentials and region of the environment.
 *
 * @param endpoint URL of DynamoDB; by default that of the environment
 * @param limits of every call
 */
export function openTable(name: string, endpoint?: string, limits = CLIENT_LIMITS): Table {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ ...limits, endpoint }), {
    // By the second option, a map of a person's names may have the key `constructor`.
    marshallOptions: { removeUndefinedValues: true, convertClassInstanceToMap: true },
  });
  // The logger copies each response, even a whole page of the directory.
  client.middlewareStack.remove('loggerMiddleware');
  return { name, client: namingErrors(client) };
}
