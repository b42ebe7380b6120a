import type { Command } from '../wire/dynamodb-proxy.ts';

/** What DynamoDB takes of one partition key in a second. */
export const LIMITS = { reads: 3000, writes: 1000 };

/** What one partition key gets, a second. */
export interface Heat {
  /** `<partition>`, or that of an index; `...` stands for what differs from account to account. */
  readonly key: string;
  /** Read and write units. */
  readonly reads: number;
  readonly writes: number;
  /** Transactions that are at work on its busiest item at the same time. */
  readonly overlap: number;
}

/** Partitions that a hash spreads what they hold over: a sample meets some more often than others, many requests none. */
export interface Spread {
  /** How their keys begin. */
  readonly prefix: string;
  readonly partitions: number;
}

/** How long a transaction holds its items, in seconds. */
export const TRANSACTION_SECONDS = 0.01;

/** One access of one item or range: units, and whether it is a part of a transaction. */
interface Access {
  readonly partition: string;
  readonly item: string;
  readonly reads: number;
  readonly writes: number;
  readonly inTransaction: boolean;
}

type Keyed = { readonly PK?: { readonly S: string }; readonly SK?: { readonly S: string } };

/**
 * The keys that get most, first those that get most of their limit.
 *
 * @param requests the commands of each request of a sample
 * @param rate requests a second
 * @param indexOf the keys of an account in the index of the directory
 * @param spreads what is taken together and shared out evenly
 */
export function heatOf(
  requests: readonly (readonly Command[])[],
  rate: number,
  indexOf: (username: string) => { readonly GSI1PK: string },
  spreads: readonly Spread[],
): Heat[] {
  const spreadOf = (partition: string) => spreads.find(({ prefix }) => partition.startsWith(prefix));
  const seen = new Map<string, { requests: Set<number>; accesses: Access[] }>();
  for (const [n, commands] of requests.entries())
    for (const access of commands.flatMap((command) => accessesOf(command, indexOf))) {
      const spread = spreadOf(access.partition);
      const key = spread ? `${spread.prefix}...` : access.partition;
      const entry = seen.get(key) ?? { requests: new Set(), accesses: [] };
      entry.requests.add(n);
      entry.accesses.push(spread ? { ...access, item: key } : access);
      seen.set(key, entry);
    }
  const perSecond = (count: number) => (count / requests.length) * rate;
  const heats = [...seen].map(([partition, { requests: met, accesses }]): Heat => {
    const share = 1 / (spreadOf(partition)?.partitions ?? 1);
    // What a single request of the sample meets is its account's: of those there are as many as requests.
    const isShared = met.size > 1 || share < 1;
    const items = Map.groupBy(
      accesses.filter(({ inTransaction }) => inTransaction),
      ({ item }) => item,
    );
    const busiest = Math.max(0, ...[...items.values()].map((each) => each.length));
    const of = (sum: number) => (isShared ? perSecond(sum) * share : sum);
    return {
      key: isShared ? partition : partition.replace(/#.*/, '#...'),
      reads: of(accesses.reduce((sum, { reads }) => sum + reads, 0)),
      writes: of(accesses.reduce((sum, { writes }) => sum + writes, 0)),
      overlap: isShared ? perSecond(busiest) * share * TRANSACTION_SECONDS : 0,
    };
  });
  const share = ({ reads, writes }: Heat) => Math.max(reads / LIMITS.reads, writes / LIMITS.writes);
  const named = new Map(
    heats.toSorted((one, other) => share(one) - share(other)).map((one) => [one.key, one]),
  );
  return [...named.values()].toSorted((one, other) => share(other) - share(one));
}

/** Every item and range that a command is about, with units by DynamoDB's rules for items up to 1 kB. */
function accessesOf(
  { operation, input }: Command,
  indexOf: (username: string) => { GSI1PK: string },
): Access[] {
  const access = ({ PK, SK }: Keyed, units: Partial<Access>): Access => ({
    partition: PK?.S ?? '',
    item: `${PK?.S} ${SK?.S}`,
    reads: 0,
    writes: 0,
    inTransaction: false,
    ...units,
  });
  const written = (key: Keyed, units: number, inTransaction: boolean): Access[] => {
    const [, username] = /^ACCOUNT#(.*)$/.exec(key.PK?.S ?? '') ?? [];
    const inIndex = username !== undefined && key.SK?.S === 'ACCOUNT';
    return [
      access(key, { writes: units, inTransaction }),
      ...(inIndex ? [access({ PK: { S: `GSI1 ${indexOf(username).GSI1PK}` } }, { writes: 1 })] : []),
    ];
  };
  const { Key, Item, ConsistentRead, RequestItems, TransactItems, ExpressionAttributeValues } = input as {
    Key?: Keyed;
    Item?: Keyed;
    ConsistentRead?: boolean;
    RequestItems?: Record<string, { Keys?: Keyed[] }>;
    TransactItems?: Record<string, { Key?: Keyed; Item?: Keyed }>[];
    ExpressionAttributeValues?: Record<string, { S: string }>;
  };
  switch (operation) {
    case 'GetItem':
      return [access(Key as Keyed, { reads: ConsistentRead ? 1 : 0.5 })];
    case 'BatchGetItem':
      return Object.values(RequestItems ?? {}).flatMap(({ Keys = [] }) =>
        Keys.map((key) => access(key, { reads: 1 })),
      );
    case 'Query':
      return [
        access({ PK: Object.values(ExpressionAttributeValues ?? {})[0] as { S: string } }, { reads: 1 }),
      ];
    case 'PutItem':
    case 'UpdateItem':
    case 'DeleteItem':
      return written((Key ?? Item) as Keyed, 1, false);
    case 'TransactWriteItems':
      return (TransactItems ?? []).flatMap((each) =>
        Object.values(each).flatMap(({ Key: key, Item: item }) => written((key ?? item) as Keyed, 2, true)),
      );
    default:
      throw new Error(`What ${operation} reads and writes is not known here`);
  }
}
