import { BatchGetCommand, GetCommand, QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { inBatches, inParallel } from '../async/in-parallel.ts';
import { AGAIN, retry } from '../async/retry.ts';
import { projection } from './expressions.ts';
import type { Key, Range } from './keys.ts';
import type { Table } from './table.ts';

type Attributes = Record<string, unknown>;

/** Reads one item, strongly consistent. */
export async function get<Item>(table: Table, key: Key<Item>): Promise<Item | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: { ...key }, ConsistentRead: true }),
  );
  return Item as Item | undefined;
}

/** The item of each key, undefined when it does not exist. */
type Found<Keys extends readonly Key[]> = {
  readonly [I in keyof Keys]: Keys[I] extends Key<infer Item> ? Item | undefined : never;
};

/** Maximum of items in one BatchGetItem, so a good size of pages whose items are read. */
export const MAX_BATCH = 100;

/** Batches that are read at the same time. */
const AT_ONCE = 16;

/**
 * Reads any number of items, {@link MAX_BATCH} in a round trip.
 *
 * @param isConsistent false for half the units; changes of the last second may then be missing
 * @param attributes only these of each item, which costs as much as all
 * @returns the items in the order of `keys`
 * @throws Failure `unavailable` when DynamoDB leaves keys unprocessed in each attempt
 */
export async function getAll<const Keys extends readonly Key[]>(
  table: Table,
  keys: Keys,
  isConsistent = true,
  attributes?: readonly string[],
): Promise<Found<Keys>> {
  const found = new Map<string, Attributes>();
  const distinct = [...new Map(keys.map((key) => [identity(key), { ...key } as Attributes])).values()];
  await inParallel(
    inBatches(distinct, MAX_BATCH),
    async (batch) => {
      for (const item of await readBatch(table, batch, isConsistent, attributes))
        found.set(identity(item as Key & Attributes), item);
    },
    AT_ONCE,
  );
  return keys.map((key) => found.get(identity(key))) as Found<Keys>;
}

async function readBatch(
  table: Table,
  keys: Attributes[],
  isConsistent: boolean,
  attributes: readonly string[] | undefined,
): Promise<Attributes[]> {
  const items: Attributes[] = [];
  let pending = keys;
  await retry(async () => {
    const { Responses, UnprocessedKeys } = await table.client.send(
      new BatchGetCommand({
        RequestItems: {
          [table.name]: {
            Keys: pending,
            ConsistentRead: isConsistent,
            ...(attributes && projection(['PK', 'SK', ...attributes])),
          },
        },
      }),
    );
    items.push(...(Responses?.[table.name] ?? []));
    pending = UnprocessedKeys?.[table.name]?.Keys ?? [];
    return pending.length > 0 ? AGAIN : undefined;
  });
  return items;
}

const identity = ({ PK, SK }: Key) => `${PK}\n${SK}`;

/** The condition of a range on the sort key, and its values. */
function comparison({ prefix, after, before }: Range): [text: string, values?: Attributes] {
  // The local engine scans the partition for begins_with. `$` is the character after `#`.
  if (prefix) return ['BETWEEN :sk AND :end', { ':sk': prefix, ':end': `${prefix.slice(0, -1)}$` }];
  if (before && after) return ['BETWEEN :sk AND :end', { ':sk': after, ':end': before }];
  if (before) return ['< :sk', { ':sk': before }];
  return after ? ['> :sk', { ':sk': after }] : [''];
}

/** The key after which a page begins, in the notation of DynamoDB. */
export type Start = QueryCommandInput['ExclusiveStartKey'];

/**
 * Reads one page of a range, of at most `limit` items and 1 MB; strongly consistent, except for an index.
 *
 * @returns the page, and the start of the next one if there is one
 */
export async function readPage<Item>(table: Table, range: Range<Item>, limit?: number, start?: Start) {
  const { PK, index = '', descending, attributes } = range;
  const [text, values] = comparison(range);
  const { Items = [], LastEvaluatedKey } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      IndexName: range.index,
      ConsistentRead: !index,
      ...(descending ? { ScanIndexForward: false } : {}),
      ...(attributes && projection(attributes)),
      KeyConditionExpression: `${index}PK = :pk${text && ` AND ${index}SK ${text}`}`,
      ExpressionAttributeValues: { ':pk': PK, ...values },
      Limit: limit,
      ExclusiveStartKey: start,
    }),
    table.signal ? { abortSignal: table.signal } : {},
  );
  return { items: Items as Item[], next: LastEvaluatedKey };
}

/** Reads a range by pages, each when it is requested. */
export async function* pages<Item>(table: Table, range: Range<Item>, limit?: number): AsyncGenerator<Item[]> {
  let start: Start;
  do {
    const { items, next } = await readPage(table, range, limit, start);
    yield items;
    start = next;
  } while (start);
}

/** Reads a whole range. */
export async function query<Item>(table: Table, range: Range<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of pages(table, range)) items.push(...page);
  return items;
}
