import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { CLIENT_LIMITS } from '../aws.ts';
import type { Failure, FailureCode } from '../failure.ts';
import type { Key } from './keys.ts';

/** An item, and what must hold of it. */
export interface Guard {
  readonly Key: Key;
  readonly ConditionExpression: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>> | undefined;
  readonly ExpressionAttributeValues: Readonly<Record<string, unknown>>;
  /** The failure that it means when the condition does not hold, undefined where `item` satisfies it. */
  readonly otherwise: (
    item: Readonly<Record<string, unknown>> | undefined,
  ) => FailureCode | Failure | undefined;
}

/** The table and the client that reaches it. */
export interface Table {
  readonly name: string;
  readonly client: DynamoDBDocumentClient;
  /** Every update and every transaction through this handle depends on it. */
  readonly guard?: Guard;
}

/**
 * Opens the table with the credentials and region of the environment.
 *
 * @param endpoint where DynamoDB is, if not where the environment says
 * @param limits of every call
 */
export function openTable(name: string, endpoint?: string, limits = CLIENT_LIMITS): Table {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ ...limits, endpoint }), {
    marshallOptions: { removeUndefinedValues: true },
  });
  // It copies every response for a logger that drops it: a quarter of the CPU time of a page of the directory.
  client.middlewareStack.remove('loggerMiddleware');
  return { name, client };
}
