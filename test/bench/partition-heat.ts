import { directoryIndex } from '#lib/table/keys';
import type { Command } from '../wire/dynamodb-proxy.ts';

/** Units a second that DynamoDB serves from one partition key. */
export const LIMITS = { reads: 3000, writes: 1000 };

/** Units a second of one partition key. */
export interface Heat {
  /** `<partition>`, or that of an index; `...` replaces the part that differs by account. */
  readonly key: string;
  readonly reads: number;
  readonly writes: number;
}

/** Partitions over which a hash spreads items. */
export interface Spread {
  readonly prefix: string;
  readonly partitions: number;
}

interface Access {
  readonly partition: string;
  readonly reads: number;
  readonly writes: number;
}

type Keyed = { readonly PK?: { readonly S: string }; readonly SK?: { readonly S: string } };

/**
 * The keys of a sample, those closest to their limit first.
 *
 * @param requests the commands of each request of the sample
 * @param rate requests a second
 */
export function heatOf(
  requests: readonly (readonly Command[])[],
  rate: number,
  spreads: readonly Spread[],
): Heat[] {
  const seen = new Map<string, { share: number; requests: Set<number>; reads: number; writes: number }>();
  for (const [n, commands] of requests.entries())
    for (const { partition, reads, writes } of commands.flatMap(accessesOf)) {
      const spread = spreads.find(({ prefix }) => partition.startsWith(prefix));
      const key = spread ? `${spread.prefix}...` : partition;
      const entry = seen.get(key) ?? {
        share: 1 / (spread?.partitions ?? 1),
        requests: new Set(),
        reads: 0,
        writes: 0,
      };
      entry.requests.add(n);
      seen.set(key, Object.assign(entry, { reads: entry.reads + reads, writes: entry.writes + writes }));
    }
  const heats = [...seen].map(([partition, { share, requests: met, reads, writes }]): Heat => {
    // A key that one request of the sample uses belongs to its account: there are as many keys as requests.
    const isShared = met.size > 1 || share < 1;
    const perSecond = (units: number) => (isShared ? (units / requests.length) * rate * share : units);
    const key = isShared ? partition : partition.replace(/#.*/, '#...');
    return { key, reads: perSecond(reads), writes: perSecond(writes) };
  });
  const load = ({ reads, writes }: Heat) => Math.max(reads / LIMITS.reads, writes / LIMITS.writes);
  const ascending = heats.toSorted((one, other) => load(one) - load(other));
  return [...new Map(ascending.map((one) => [one.key, one])).values()].toSorted(
    (one, other) => load(other) - load(one),
  );
}

const access = (partition: string | undefined, units: Partial<Access>): Access => ({
  partition: partition ?? '',
  reads: 0,
  writes: 0,
  ...units,
});

/** A write of an account also writes its entry in the index of the directory. */
function written({ PK, SK }: Keyed, units: number): Access[] {
  const [, username] = /^ACCOUNT#(.*)$/.exec(PK?.S ?? '') ?? [];
  const isAccount = username !== undefined && SK?.S === 'ACCOUNT';
  const index = isAccount ? [access(`GSI1 ${directoryIndex(username).GSI1PK}`, { writes: 1 })] : [];
  return [access(PK?.S, { writes: units }), ...index];
}

/** The keys that a command uses, with units by DynamoDB's rules for items up to 1 kB. */
function accessesOf({ operation, input }: Command): Access[] {
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
      return [access(Key?.PK?.S, { reads: ConsistentRead ? 1 : 0.5 })];
    case 'BatchGetItem':
      return Object.values(RequestItems ?? {}).flatMap(({ Keys = [] }) =>
        Keys.map(({ PK }) => access(PK?.S, { reads: 1 })),
      );
    case 'Query':
      return [access(Object.values(ExpressionAttributeValues ?? {})[0]?.S, { reads: 1 })];
    case 'PutItem':
    case 'UpdateItem':
    case 'DeleteItem':
      return written((Key ?? Item) as Keyed, 1);
    case 'TransactWriteItems':
      return (TransactItems ?? []).flatMap((each) =>
        Object.values(each).flatMap(({ Key: key, Item: item }) => written((key ?? item) as Keyed, 2)),
      );
    default:
      throw new Error(`The keys of ${operation} are unknown`);
  }
}
