import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { CLIENT_LIMITS } from '../aws.ts';
import type { Failure, FailureCode } from '../failure.ts';
import type { Key } from './keys.ts';
import { readPlainAnswers } from './plain-answers.ts';

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
  /** It sends items as DynamoDB has them: the document client takes ten times as long to make these as `native.ts`. */
  readonly client: DynamoDBClient;
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
  // The order of middlewares is made out once for each kind of command, not for each command: an eighth of a read. A
  // command of the document client, which brings middlewares of its own, would be answered as the first of its kind was.
  const client = new DynamoDBClient({ ...limits, endpoint, cacheMiddleware: true });
  readPlainAnswers(client);
  // It copies every answer for a log that nobody keeps: a quarter of what a page of the directory takes.
  client.middlewareStack.remove('loggerMiddleware');
  return { name, client };
}
