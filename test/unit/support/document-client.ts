import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Table } from '#lib/table/table';

/**
 * A document client by the connections of a table's own client. That one calculates the order of its middlewares
 * once for each kind of command, and the document client adds some to each command.
 */
export const documentsOf = ({ client: { config, middlewareStack } }: Pick<Table, 'client'>) =>
  DynamoDBDocumentClient.from(
    { config: { ...config, cacheMiddleware: false }, middlewareStack } as DynamoDBClient,
    { marshallOptions: { removeUndefinedValues: true } },
  );
