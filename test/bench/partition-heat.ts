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

type Access = Omit<Heat, 'key'> & { readonly partition: string };

type Keyed = { readonly PK: { readonly S: string }; readonly SK: { readonly S: string } };

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
  const spreadOf = (partition: string) => spreads.find(({ prefix }) => partition.startsWith(prefix));
  const accesses = requests.flatMap((commands, request) =>
    commands.flatMap(accessesOf).map((access) => ({ ...access, request })),
  );
  const byKey = Map.groupBy(accesses, ({ partition }) => {
    const spread = spreadOf(partition);
    return spread ? `${spread.prefix}...` : partition;
  });
  const heats = [...byKey].map(([key, all]): Heat => {
    const { partitions = 1 } = spreadOf(key) ?? {};
    // A key that one request of the sample uses belongs to its account: there are as many keys as requests.
    const isShared = partitions > 1 || new Set(all.map(({ request }) => request)).size > 1;
    const perSecond = (kind: 'reads' | 'writes') => {
      const units = all.reduce((total, one) => total + one[kind], 0);
      return isShared ? ((units / requests.length) * rate) / partitions : units;
    };
    return {
      key: isShared ? key : key.replace(/#.*/, '#...'),
      reads: perSecond('reads'),
      writes: perSecond('writes'),
    };
  });
  const load = ({ reads, writes }: Heat) => Math.max(reads / LIMITS.reads, writes / LIMITS.writes);
  const ascending = heats.toSorted((one, other) => load(one) - load(other));
  // The last one of a key remains: its highest load.
  return [...new Map(ascending.map((one) => [one.key, one])).values()].toSorted(
    (one, other) => load(other) - load(one),
  );
}

const read = (partition = '', reads = 1): Access => ({ partition, reads, writes: 0 });

/** A write of an account also writes its entry in the index of the directory. */
function written({ PK, SK }: Keyed, writes: number): Access[] {
  const [, username] = /^ACCOUNT#(.*)$/.exec(PK.S) ?? [];
  const isAccount = username !== undefined && SK.S === 'ACCOUNT';
  const index = isAccount ? [`GSI1 ${directoryIndex(username).GSI1PK}`] : [];
  return [
    { partition: PK.S, reads: 0, writes },
    ...index.map((partition) => ({ partition, reads: 0, writes: 1 })),
  ];
}

/** The keys that a command uses, with units by DynamoDB's rules for items up to 1 kB. */
function accessesOf({ operation, input }: Command): Access[] {
  const { Key, Item, ConsistentRead, RequestItems, TransactItems, ExpressionAttributeValues } = input as {
    Key: Keyed;
    Item?: Keyed;
    ConsistentRead?: boolean;
    RequestItems: Record<string, { Keys: Keyed[] }>;
    TransactItems: Record<string, { Key: Keyed; Item?: Keyed }>[];
    ExpressionAttributeValues: Record<string, { S: string }>;
  };
  switch (operation) {
    case 'GetItem':
      return [read(Key.PK.S, ConsistentRead ? 1 : 0.5)];
    case 'BatchGetItem':
      return Object.values(RequestItems).flatMap(({ Keys }) => Keys.map(({ PK }) => read(PK.S)));
    case 'Query':
      return [read(Object.values(ExpressionAttributeValues)[0]?.S)];
    case 'PutItem':
    case 'UpdateItem':
    case 'DeleteItem':
      return written(Item ?? Key, 1);
    case 'TransactWriteItems':
      return TransactItems.flatMap(Object.values).flatMap((each) => written(each.Item ?? each.Key, 2));
    default:
      throw new Error(`The keys of ${operation} are unknown`);
  }
}
