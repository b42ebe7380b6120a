import { setTimeout as sleep } from 'node:timers/promises';
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
import { Failure } from '../failure.ts';
import type { Key } from './keys.ts';
import type { Table } from './table.ts';

/** A condition that did not hold: which write of the transaction it was, and the item at that moment. */
export class Refusal {
  readonly index: number;
  readonly item: Record<string, unknown> | undefined;

  constructor(index: number, item: Record<string, AttributeValue> | undefined) {
    this.index = index;
    this.item = item && unmarshall(item);
  }
}

type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** A write of a transaction, without the name of the table. */
export type TransactWrite = { [K in keyof Write]?: Omit<NonNullable<Write[K]>, 'TableName'> };

const REPORT = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;

/** Carries out all of the writes or none. */
export function transact(table: Table, writes: readonly TransactWrite[]): Promise<Refusal | undefined> {
  const command = new TransactWriteCommand({
    TransactItems: writes.map(
      (write) =>
        Object.fromEntries(
          Object.entries(write).map(([operation, input]) => [
            operation,
            { TableName: table.name, ...REPORT, ...input },
          ]),
        ) as Write,
    ),
  });
  return unlessRefused(async () => {
    await table.client.send(command);
    return undefined;
  });
}

/** Updates one item; resolves to all of its attributes after the change. */
export const update = <Item = Record<string, unknown>>(
  table: Table,
  input: Omit<UpdateCommandInput, 'TableName'>,
) =>
  unlessRefused(async () => {
    const command = new UpdateCommand({
      TableName: table.name,
      ReturnValues: 'ALL_NEW',
      ...REPORT,
      ...input,
    });
    return (await table.client.send(command)).Attributes as Item;
  });

/** Puts one item. */
export const put = (table: Table, input: Omit<PutCommandInput, 'TableName'>) =>
  unlessRefused(async () => {
    await table.client.send(new PutCommand({ TableName: table.name, ...REPORT, ...input }));
    return undefined;
  });

/** Removes one item, if it is there. */
export const remove = async (table: Table, key: Key): Promise<void> => {
  await table.client.send(new DeleteCommand({ TableName: table.name, Key: key }));
};

/** Waits of up to 10, 20, 40 ... ms: eight attempts last at most 1.3 s. */
const ATTEMPTS = 8;

const COLLISIONS = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

/** Sends a write again while it collides with a transaction in flight; the SDK does not. */
async function unlessRefused<T>(send: () => Promise<T>): Promise<T | Refusal> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    try {
      return await send();
    } catch (error) {
      const reasons = reasonsOf(error);
      const index = reasons.findIndex(({ Code }) => Code === 'ConditionalCheckFailed');
      if (index >= 0) return new Refusal(index, reasons[index]?.Item);
      if (!reasons.some(({ Code }) => Code && COLLISIONS.has(Code))) throw error;
      await sleep(Math.random() * 10 * 2 ** attempt);
    }
  }
  throw new Failure('unavailable', { retryAfter: 1 });
}

interface Reason {
  readonly Code?: string;
  readonly Item?: Record<string, AttributeValue>;
}

/** The reasons of a refused write, in one shape for single writes and transactions. */
function reasonsOf(error: unknown): readonly Reason[] {
  if (!(error instanceof Error)) return [];
  const { Item, CancellationReasons = [] } = error as Error & Reason & { CancellationReasons?: Reason[] };
  if (error.name === 'ConditionalCheckFailedException') return [{ Code: 'ConditionalCheckFailed', Item }];
  if (error.name === 'TransactionConflictException') return [{ Code: 'TransactionConflict' }];
  return CancellationReasons;
}
