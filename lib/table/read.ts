import { setTimeout as sleep } from 'node:timers/promises';
import { BatchGetCommand, GetCommand, QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { Failure } from '../failure.ts';
import type { Key } from './keys.ts';
import type { Table } from './table.ts';

type Item = Record<string, unknown>;

/** Reads one item, strongly consistent. */
export async function get<T>(table: Table, key: Key): Promise<T | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: key, ConsistentRead: true }),
  );
  return Item as T | undefined;
}

/**
 * Reads up to 100 items in one round trip, strongly consistent.
 *
 * @returns the items in the order of `keys`, undefined where there is none
 */
export async function getAll(table: Table, keys: readonly Key[]): Promise<(Item | undefined)[]> {
  const found = new Map<string, Item>();
  let pending: Item[] | undefined = [...new Map(keys.map((key) => [identity(key), { ...key }])).values()];
  for (let attempt = 0; pending && pending.length > 0; attempt++) {
    if (attempt > 0) await sleep(Math.random() * 20 * 2 ** attempt);
    if (attempt > 4) throw new Failure('unavailable', { retryAfter: 1 });
    const command: BatchGetCommand = new BatchGetCommand({
      RequestItems: { [table.name]: { Keys: pending, ConsistentRead: true } },
    });
    const { Responses, UnprocessedKeys } = await table.client.send(command);
    for (const item of Responses?.[table.name] ?? []) found.set(identity(item as Key & Item), item);
    pending = UnprocessedKeys?.[table.name]?.Keys;
  }
  return keys.map((key) => found.get(identity(key)));
}

const identity = ({ PK, SK }: Key) => `${PK}\n${SK}`;

/** A range of one partition of the table or of an index, in ascending order of the sort key. */
export interface Range {
  readonly PK: string;
  readonly index?: 'GSI1' | 'GSI2';
  /** Sort keys that begin with this ... */
  readonly prefix?: string;
  /** ... or come after this. */
  readonly after?: string | undefined;
}

const toQuery = (table: Table, { PK, index, prefix, after }: Range): QueryCommandInput => ({
  TableName: table.name,
  IndexName: index,
  ConsistentRead: !index,
  KeyConditionExpression: `${index ?? ''}PK = :pk${prefix ? ` AND begins_with(${index ?? ''}SK, :sk)` : after ? ` AND ${index ?? ''}SK > :sk` : ''}`,
  ExpressionAttributeValues: { ':pk': PK, ...((prefix ?? after) ? { ':sk': prefix ?? after } : {}) },
});

/** Reads a range page by page, each page once it is asked for; strongly consistent unless of an index. */
export async function* pages<T>(table: Table, range: Range, limit?: number): AsyncGenerator<T[]> {
  let start: Item | undefined;
  do {
    const command = new QueryCommand({ ...toQuery(table, range), Limit: limit, ExclusiveStartKey: start });
    const { Items = [], LastEvaluatedKey } = await table.client.send(command);
    yield Items as T[];
    start = LastEvaluatedKey;
  } while (start);
}

/** Reads a whole range. */
export async function query<T>(table: Table, range: Range): Promise<T[]> {
  const items: T[] = [];
  for await (const page of pages<T>(table, range)) items.push(...page);
  return items;
}

/** Counts a range without fetching its items. */
export async function count(table: Table, range: Range): Promise<number> {
  let total = 0;
  let start: Item | undefined;
  do {
    const command: QueryCommand = new QueryCommand({
      ...toQuery(table, range),
      Select: 'COUNT',
      ExclusiveStartKey: start,
    });
    const { Count = 0, LastEvaluatedKey } = await table.client.send(command);
    total += Count;
    start = LastEvaluatedKey;
  } while (start);
  return total;
}
