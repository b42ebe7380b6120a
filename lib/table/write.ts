import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  PutCommand,
  type PutCommandInput,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { Failure, type FailureCode } from '../failure.ts';
import { AGAIN, retry } from '../retry.ts';
import type { Key } from './keys.ts';
import type { Table } from './table.ts';

type Attributes = Readonly<Record<string, unknown>>;

/** What became of a write whose condition did not hold: nothing was written. */
export class ConditionFailed<Item = Attributes> {
  /** The item at that moment. */
  readonly item: Item | undefined;
  /** Of a transaction: the write that had the condition. */
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
  /** The failure that it means when the condition does not hold, if it is one; `item` is what stood there. */
  readonly otherwise?: FailureCode | ((item: Attributes | undefined) => FailureCode);
};

const REPORT = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;

/**
 * Carries out all of the writes or none.
 *
 * @returns the first condition that did not hold and has no failure of its own
 * @throws Failure that the condition names which did not hold
 */
export async function transact(
  table: Table,
  writes: readonly TransactWrite[],
): Promise<ConditionFailed | undefined> {
  const command = new TransactWriteCommand({
    TransactItems: writes.map(({ otherwise: _, ...operations }) => withTable(table, operations)),
  });
  return unlessConditionFailed(async () => {
    await table.client.send(command);
    return undefined;
  }, writes);
}

const withTable = ({ name }: Table, operations: Operations) =>
  Object.fromEntries(
    Object.entries(operations).map(([operation, input]) => [
      operation,
      { TableName: name, ...REPORT, ...input },
    ]),
  ) as Command;

/** Updates one item; resolves to all of its attributes after the change. */
export const update = <Item>(
  table: Table,
  { Key, ...input }: Omit<UpdateCommandInput, 'TableName' | 'Key'> & { readonly Key: Key<Item> },
): Promise<Item | ConditionFailed<Item>> =>
  unlessConditionFailed(async () => {
    const command = new UpdateCommand({
      TableName: table.name,
      Key: { ...Key },
      ReturnValues: 'ALL_NEW',
      ...REPORT,
      ...input,
    });
    return (await table.client.send(command)).Attributes as Item;
  });

/** Puts one item. */
export const put = <Item>(
  table: Table,
  key: Key<Item>,
  item: Item,
  condition: Omit<PutCommandInput, 'TableName' | 'Item'> = {},
): Promise<ConditionFailed<Item> | undefined> =>
  unlessConditionFailed(async () => {
    const Item = { ...key, ...item };
    await table.client.send(new PutCommand({ TableName: table.name, Item, ...REPORT, ...condition }));
    return undefined;
  });

/** Removes one item, if it is there. */
export const remove = async (table: Table, key: Key): Promise<void> => {
  await table.client.send(new DeleteCommand({ TableName: table.name, Key: { ...key } }));
};

const COLLISIONS = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

/** Sends a write again while it collides with a transaction in flight; the SDK does not. */
const unlessConditionFailed = <T, Item>(
  send: () => Promise<T>,
  writes: readonly TransactWrite[] = [],
): Promise<T | ConditionFailed<Item>> =>
  retry(async () => {
    try {
      return await send();
    } catch (error) {
      const reasons = reasonsOf(error);
      const index = reasons.findIndex(({ Code }) => Code === 'ConditionalCheckFailed');
      if (index >= 0) return conditionFailed<Item>(reasons[index]?.Item, writes[index]);
      if (reasons.some(({ Code }) => Code && COLLISIONS.has(Code))) return AGAIN;
      throw error;
    }
  });

function conditionFailed<Item>(attributes: Reason['Item'], write: TransactWrite | undefined) {
  const item = attributes && unmarshall(attributes);
  const otherwise = write?.otherwise;
  if (otherwise) throw new Failure(typeof otherwise === 'string' ? otherwise : otherwise(item));
  return new ConditionFailed(item as Item | undefined, write);
}

interface Reason {
  readonly Code?: string;
  readonly Item?: Record<string, AttributeValue>;
}

/** Why a write was not carried out, in one shape for single writes and transactions. */
function reasonsOf(error: unknown): readonly Reason[] {
  if (!(error instanceof Error)) return [];
  const { Item, CancellationReasons = [] } = error as Error & Reason & { CancellationReasons?: Reason[] };
  if (error.name === 'ConditionalCheckFailedException') return [{ Code: 'ConditionalCheckFailed', Item }];
  if (error.name === 'TransactionConflictException') return [{ Code: 'TransactionConflict' }];
  return CancellationReasons;
}
