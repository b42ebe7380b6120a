import {
  type AttributeValue,
  BatchGetItemCommand,
  GetItemCommand,
  QueryCommand,
  type QueryCommandInput,
} from '@aws-sdk/client-dynamodb';
import { AGAIN, retry } from '../retry.ts';
import type { Key, Range } from './keys.ts';
import { fromItem, toItem } from './native.ts';
import type { Table } from './table.ts';

type Attributes = Record<string, unknown>;

/** Reads one item, strongly consistent. */
export async function get<Item>(table: Table, key: Key<Item>): Promise<Item | undefined> {
  const { Item } = await table.client.send(
    new GetItemCommand({ TableName: table.name, Key: toItem({ ...key }), ConsistentRead: true }),
  );
  return Item && (fromItem(Item) as Item);
}

/** For each key the item that stands there, undefined where there is none. */
type Found<Keys extends readonly Key[]> = {
  readonly [I in keyof Keys]: Keys[I] extends Key<infer Item> ? Item | undefined : never;
};

/** Items that one BatchGetItem reads. */
export const MAX_BATCH = 100;

/**
 * Reads up to 100 items in one round trip.
 *
 * @param isConsistent otherwise the changes of the last second may be missing, for half the units
 * @returns the items in the order of `keys`
 * @throws Failure `unavailable` where DynamoDB leaves keys unprocessed again and again
 */
export async function getAll<const Keys extends readonly Key[]>(
  table: Table,
  keys: Keys,
  isConsistent = true,
): Promise<Found<Keys>> {
  const found = new Map<string, Attributes>();
  let pending = [...new Map(keys.map((key) => [identity(key), toItem({ ...key })])).values()];
  if (pending.length > 0)
    await retry(async () => {
      const { Responses, UnprocessedKeys } = await table.client.send(
        new BatchGetItemCommand({
          RequestItems: { [table.name]: { Keys: pending, ConsistentRead: isConsistent } },
        }),
      );
      for (const one of Responses?.[table.name] ?? []) {
        const item = fromItem(one);
        found.set(identity(item as Key & Attributes), item);
      }
      pending = UnprocessedKeys?.[table.name]?.Keys ?? [];
      return pending.length > 0 ? AGAIN : undefined;
    });
  return keys.map((key) => found.get(identity(key))) as Found<Keys>;
}

const identity = ({ PK, SK }: Key) => `${PK}\n${SK}`;

const toQuery = (table: Table, { PK, index, prefix, after }: Range): QueryCommandInput => {
  const key = prefix ?? after;
  return {
    TableName: table.name,
    IndexName: index,
    ConsistentRead: !index,
    KeyConditionExpression: `${index ?? ''}PK = :pk${prefix ? ` AND begins_with(${index ?? ''}SK, :sk)` : after ? ` AND ${index ?? ''}SK > :sk` : ''}`,
    ExpressionAttributeValues: { ':pk': { S: PK }, ...(key ? { ':sk': { S: key } } : {}) },
  };
};

const sendQuery = (table: Table, input: QueryCommandInput) => table.client.send(new QueryCommand(input));

/** Where a page begins, as DynamoDB says it. */
export type Start = QueryCommandInput['ExclusiveStartKey'];

/** A page of a range, as DynamoDB has its items, and where the next one begins, unless it is the last. */
interface PageOfRange {
  readonly items: Record<string, AttributeValue>[];
  readonly next: Start;
}

/** Reads one page of a range, of at most `limit` items and 1 MB; strongly consistent unless of an index. */
export async function readPage(
  table: Table,
  range: Range,
  limit?: number,
  start?: Start,
): Promise<PageOfRange> {
  const { Items = [], LastEvaluatedKey } = await sendQuery(table, {
    ...toQuery(table, range),
    Limit: limit,
    ExclusiveStartKey: start,
  });
  return { items: Items, next: LastEvaluatedKey };
}

/** Reads a range page by page, each page once it is asked for. */
export async function* pages<Item>(table: Table, range: Range<Item>, limit?: number): AsyncGenerator<Item[]> {
  let start: Start;
  do {
    const { items, next } = await readPage(table, range, limit, start);
    yield items.map((item) => fromItem(item) as Item);
    start = next;
  } while (start);
}

/** Reads a whole range. */
export async function query<Item>(table: Table, range: Range<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of pages(table, range)) items.push(...page);
  return items;
}
