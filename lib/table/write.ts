import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  type DeleteCommandInput,
  PutCommand,
  type PutCommandInput,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { AGAIN, type Patience, retry } from '../async/retry.ts';
import type { PlainCode } from '../failure/codes.ts';
import { Failure } from '../failure/failure.ts';
import { assign } from './expressions.ts';
import type { Key } from './keys.ts';
import { TABLE } from './shape.ts';
import type { Guard, Table } from './table.ts';

type Attributes = Readonly<Record<string, unknown>>;

/** The result of a write whose condition did not hold: nothing was written. */
export class ConditionFailed<Item = Attributes> {
  /** The item at that time. */
  readonly item: Item | undefined;
  /** In a transaction, the write with the condition. */
  readonly write: TransactWrite | undefined;

  constructor(item: Item | undefined, write?: TransactWrite) {
    this.item = item;
    this.write = write;
  }
}

type Command = NonNullable<TransactWriteCommandInput['TransactItems']>[number];
type Operations = { readonly [K in keyof Command]?: Omit<NonNullable<Command[K]>, 'TableName'> };

/** A write of a transaction, without the name of the table. */
export type TransactWrite = Operations & {
  /** The failure when the condition does not hold, if that is a failure; `item` is the item at that time. */
  readonly otherwise?: PlainCode | ((item: Attributes | undefined) => PlainCode | Failure | undefined);
};

type Update<Item> = Omit<NonNullable<Operations['Update']>, 'Key'> & { readonly Key: Key<Item> };

const REPORT = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;

/** The most writes of a transaction that DynamoDB carries out, of 4 MB together. */
export const TRANSACTION_WRITES = 100;

/**
 * Carries out all writes or none.
 *
 * @param patience with collisions; by default at most 2.5 s
 * @returns the first failed condition, if it has no failure of its own
 * @throws Failure of the first failed condition
 */
export const transact = <Item = Attributes>(
  table: Table,
  writes: readonly TransactWrite[],
  patience?: Patience,
): Promise<ConditionFailed<Item> | undefined> => {
  const all = guarded(table.guard, writes);
  const command = new TransactWriteCommand({
    TransactItems: all.map(({ otherwise: _, ...operations }) => withTable(table, operations)),
  });
  return unlessConditionFailed(() => table.client.send(command), all, patience);
};

/** Adds the condition of the guard as a check, or to the update or check of its item: a transaction has each item once. */
function guarded(guard: Guard | undefined, given: readonly TransactWrite[]): readonly TransactWrite[] {
  if (!guard) return given;
  const writes = guarded(guard.next, given);
  const isOf = (key: Key | undefined) => key?.PK === guard.Key.PK && key.SK === guard.Key.SK;
  // A put item has to be new: its own condition refuses the item of the guard.
  if (writes.some(({ Delete, Put }) => isOf((Delete?.Key ?? Put?.Item) as Key | undefined))) return writes;
  const ofGuarded = writes.find(({ Update, ConditionCheck }) =>
    isOf((Update ?? ConditionCheck)?.Key as Key | undefined),
  );
  if (ofGuarded) return writes.map((write) => (write === ofGuarded ? both(guard, write) : write));
  const { otherwise, Key, next: _, ...condition } = guard;
  return [{ ConditionCheck: { Key: { ...Key }, ...condition }, otherwise }, ...writes];
}

function both(guard: Guard, { Update, ConditionCheck, otherwise }: TransactWrite): TransactWrite {
  const own = (Update ?? ConditionCheck) as NonNullable<typeof ConditionCheck>;
  const conditions = [guard.ConditionExpression, own.ConditionExpression].filter((condition) => condition);
  const guarding = {
    ConditionExpression: conditions.map((condition) => `(${condition})`).join(' AND '),
    // DynamoDB rejects an empty map.
    ExpressionAttributeNames: (own.ExpressionAttributeNames ?? guard.ExpressionAttributeNames) && {
      ...own.ExpressionAttributeNames,
      ...guard.ExpressionAttributeNames,
    },
    ExpressionAttributeValues: { ...own.ExpressionAttributeValues, ...guard.ExpressionAttributeValues },
  };
  return {
    ...(Update ? { Update: { ...Update, ...guarding } } : { ConditionCheck: { ...own, ...guarding } }),
    otherwise: (item) =>
      guard.otherwise(item) ?? (typeof otherwise === 'function' ? otherwise(item) : otherwise),
  };
}

/**
 * A write of an item as an update of all its attributes. Transactions put nothing: were IAM to judge a transaction as a
 * whole, the grant of a put in it would permit one to replace an account. Undefined attributes are removed.
 *
 * @param expected attributes that the item has before, if any
 */
export const storing = <Item extends object>(
  key: Key<Item>,
  item: Item,
  expected: object = {},
): Required<Pick<TransactWrite, 'Update'>> => ({ Update: { Key: { ...key }, ...assign(item, expected) } });

/** The same on condition that there is no item with this key. */
export const creating = <Item extends object>(key: Key<Item>, item: Item) =>
  storing(key, item, { [TABLE.partitionKey]: undefined });

const withTable = ({ name }: Table, operations: Operations) =>
  Object.fromEntries(
    Object.entries(operations).map(([operation, input]) => [
      operation,
      { TableName: name, ...REPORT, ...input },
    ]),
  );

/**
 * Updates one item; unlike transactions, updates of the same item do not collide. The SDK repeats an update whose answer
 * was lost, so its condition must also hold after it. A condition on the earlier state needs a transaction.
 *
 * @param patience with collisions with transactions; by default at most 2.5 s
 */
export function update<Item>(
  { guard, ...table }: Table,
  input: Update<Item>,
  patience?: Patience,
): Promise<ConditionFailed<Item> | undefined> {
  const writes = guarded(guard, [{ Update: { ...input, Key: { ...input.Key } } }]);
  if (writes.length > 1) return transact(table, writes, patience);
  const command = new UpdateCommand({
    TableName: table.name,
    ...REPORT,
    ...(writes[0]?.Update as Update<Item>),
  });
  return unlessConditionFailed(() => table.client.send(command), writes, patience);
}

/** Carries out all updates or none. A single update is no transaction, which would cost twice as much. */
export async function updateAll(
  table: Table,
  updates: readonly Pick<TransactWrite, 'Update'>[],
): Promise<ConditionFailed | undefined> {
  const [first, ...others] = updates;
  if (!first?.Update) return undefined;
  return others.length === 0 ? update(table, first.Update as Update<Attributes>) : transact(table, updates);
}

/** Writes one item, in place of any other with its key. @returns the failed condition, if one is given */
export const put = <Item>(
  table: Table,
  key: Key<Item>,
  item: Item,
  condition: Omit<PutCommandInput, 'TableName' | 'Item'> = {},
): Promise<ConditionFailed<Item> | undefined> =>
  unlessConditionFailed(() => {
    const Item = { ...key, ...item };
    return table.client.send(new PutCommand({ TableName: table.name, Item, ...REPORT, ...condition }));
  });

/** Removes one item if it exists. */
export const remove = (
  table: Table,
  key: Key,
  condition: Omit<DeleteCommandInput, 'TableName' | 'Key'> = {},
): Promise<ConditionFailed | undefined> =>
  unlessConditionFailed(() =>
    table.client.send(new DeleteCommand({ TableName: table.name, Key: { ...key }, ...REPORT, ...condition })),
  );

const COLLISIONS = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

/** Repeats a write while it collides with a transaction in flight, which the SDK does not do. */
const unlessConditionFailed = <Item>(
  send: () => Promise<unknown>,
  writes: readonly TransactWrite[] = [],
  patience?: Patience,
): Promise<ConditionFailed<Item> | undefined> =>
  retry(async () => {
    try {
      await send();
      return undefined;
    } catch (error) {
      const reasons = reasonsOf(error);
      const index = reasons.findIndex(({ Code }) => Code === 'ConditionalCheckFailed');
      if (index >= 0) return conditionFailed<Item>(reasons[index]?.Item, writes[index]);
      if (reasons.some(({ Code }) => Code && COLLISIONS.has(Code))) return AGAIN;
      throw error;
    }
  }, patience);

function conditionFailed<Item>(attributes: Reason['Item'], write: TransactWrite | undefined) {
  // The document client does not convert the items of errors.
  const item = attributes && unmarshall(attributes);
  const otherwise = write?.otherwise;
  const failure = typeof otherwise === 'function' ? otherwise(item) : otherwise;
  if (failure) throw typeof failure === 'string' ? new Failure(failure) : failure;
  return new ConditionFailed(item as Item | undefined, write);
}

interface Reason {
  readonly Code?: string;
  readonly Item?: Record<string, AttributeValue>;
}

/** The reasons why a write was not carried out, in one shape for single writes and transactions. */
function reasonsOf(error: unknown): readonly Reason[] {
  if (!(error instanceof Error)) return [];
  const { Item, CancellationReasons = [] } = error as Error & Reason & { CancellationReasons?: Reason[] };
  if (error.name === 'ConditionalCheckFailedException') return [{ Code: 'ConditionalCheckFailed', Item }];
  if (error.name === 'TransactionConflictException') return [{ Code: 'TransactionConflict' }];
  return CancellationReasons;
}
