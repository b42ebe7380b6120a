import { beforeEach, describe, expect, test, vi } from 'vitest';
import { isOutage } from '#lib/aws';
import { Failure } from '#lib/failure';
import type { Key } from '#lib/table/keys';
import { getAll } from '#lib/table/read';
import { ConditionFailed, put, type TransactWrite, transact } from '#lib/table/write';
import { COLLISION, cancelled, DOWN, THROTTLED } from '../../wire/dynamodb-proxy.ts';
import { openTestTable } from '../support/engine.ts';
import { failing, inputsOver } from './inputs.ts';
import { freshKey, NEW, type Thing } from './things.ts';

const { table, wire, operations } = await openTestTable();

beforeEach(() => {
  // Waits between attempts are as short as they can be.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  return () => vi.restoreAllMocks();
});

const putting = (key: Key<Thing>, n: number, more: object = {}): TransactWrite => ({
  Put: { Item: { ...key, n }, ...more },
});

/** Two keys at which things stand, and one at which nothing does. */
async function standing() {
  const keys = [freshKey(), freshKey(), freshKey()] as const;
  await Promise.all([put(table, keys[0], { n: 1 }), put(table, keys[1], { n: 2 })]);
  wire.reset();
  return keys;
}

const numbers = async (keys: readonly Key<Thing>[]) => (await getAll(table, keys)).map((thing) => thing?.n);

describe('a transaction', () => {
  test('carries out each of its writes', async () => {
    const keys = await standing();
    const [first, second, third] = keys;
    const failed = await transact(table, [
      {
        Update: {
          Key: first,
          UpdateExpression: 'SET n = :n',
          ExpressionAttributeValues: { ':n': 10 },
        },
      },
      { Delete: { Key: second } },
      putting(third, 30, NEW),
    ]);
    expect(failed).toBeUndefined();
    expect(operations()).toEqual(['TransactWriteItems']);
    expect(await numbers(keys)).toEqual([10, undefined, 30]);
  });

  test('names the table in each, and asks for the item that fails it', async () => {
    const inputs = inputsOver(wire);
    const key = freshKey();
    await transact(table, [
      { ConditionCheck: { Key: key, ...NEW }, otherwise: 'forbidden' },
      putting(freshKey(), 1),
    ]);
    const every = { TableName: table.name, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' };
    expect(inputs).toMatchObject([{ TransactItems: [{ ConditionCheck: every }, { Put: every }] }]);
    expect(JSON.stringify(inputs)).not.toContain('otherwise');
  });

  test('that takes place, but whose answer is lost, is not refused for what it has written', async () => {
    const key = freshKey();
    wire.script(failing('lose', 1));
    expect(await transact(table, [putting(key, 1, NEW)])).toBeUndefined();
    expect(operations()).toEqual(['TransactWriteItems', 'TransactWriteItems']);
    expect(await numbers([key])).toEqual([1]);
  });
});

describe('a condition that does not hold', () => {
  test('undoes all, and is reported with its write and the item that stood there', async () => {
    const keys = await standing();
    const [first, second, third] = keys;
    const writes = [putting(third, 30, NEW), putting(second, 20, NEW), putting(first, 10)];
    const failed = await transact(table, writes);
    expect(failed).toBeInstanceOf(ConditionFailed);
    expect(failed?.write).toBe(writes[1]);
    expect(failed?.item).toEqual({ ...second, n: 2 });
    expect(operations()).toEqual(['TransactWriteItems']);
    expect(await numbers(keys)).toEqual([1, 2, undefined]);
  });

  test('is reported first of several', async () => {
    const [first, second, third] = await standing();
    const writes = [putting(third, 30), putting(second, 20, NEW), putting(first, 10, NEW)];
    const failed = await transact(table, writes);
    expect([failed?.write, failed?.item]).toEqual([writes[1], { ...second, n: 2 }]);
  });

  test('of the very first write is reported too', async () => {
    const [first, second] = await standing();
    const writes = [putting(first, 10, NEW), putting(second, 20)];
    const failed = await transact(table, writes);
    expect([failed?.write, failed?.item]).toEqual([writes[0], { ...first, n: 1 }]);
  });

  test('is reported without an item where none stands', async () => {
    const [, , third] = await standing();
    const write = putting(third, 3, { ConditionExpression: 'attribute_exists(PK)' });
    const failed = await transact(table, [write]);
    expect(failed).toBeInstanceOf(ConditionFailed);
    expect([failed?.write, failed?.item]).toEqual([write, undefined]);
  });

  test('throws the failure that its write names', async () => {
    const keys = await standing();
    const [first, second, third] = keys;
    const transaction = transact(table, [
      { ...putting(third, 30, NEW), otherwise: 'forbidden' },
      { ...putting(second, 20, NEW), otherwise: 'token_exists' },
      { ...putting(first, 10), otherwise: 'self_target' },
    ]);
    await expect(transaction).rejects.toBeInstanceOf(Failure);
    await expect(transaction).rejects.toMatchObject({ code: 'token_exists' });
    expect(await numbers(keys)).toEqual([1, 2, undefined]);
  });

  test('throws the failure that its write makes of the item', async () => {
    const [first, , third] = await standing();
    const seen: unknown[] = [];
    const write = (key: Key<Thing>): TransactWrite => ({
      ...putting(key, 30, { ConditionExpression: 'n = :n', ExpressionAttributeValues: { ':n': 7 } }),
      otherwise: (item) => {
        seen.push(item);
        return item ? 'role_limit' : 'account_not_found';
      },
    });
    await expect(transact(table, [write(first)])).rejects.toMatchObject({ code: 'role_limit' });
    await expect(transact(table, [write(third)])).rejects.toMatchObject({ code: 'account_not_found' });
    expect(seen).toEqual([{ ...first, n: 1 }, undefined]);
  });

  test('is final, though another write has met a transaction', async () => {
    const writes = [putting(freshKey(), 1), putting(freshKey(), 2)];
    wire.script(failing(cancelled('TransactionConflict', 'ConditionalCheckFailed')));
    const failed = await transact(table, writes);
    expect([failed?.write, failed?.item]).toEqual([writes[1], undefined]);
    expect(operations()).toEqual(['TransactWriteItems']);
  });
});

describe('a transaction is sent again', () => {
  test.each(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'])(
    'where one of its writes is cancelled for %s',
    async (code) => {
      const keys = [freshKey(), freshKey()] as const;
      wire.script(failing(cancelled('None', code), 2));
      expect(await transact(table, [putting(keys[0], 1), putting(keys[1], 2)])).toBeUndefined();
      expect(operations()).toEqual(Array(3).fill('TransactWriteItems'));
      expect(await numbers(keys)).toEqual([1, 2]);
    },
  );

  test('at most eight times in all', async () => {
    const key = freshKey();
    wire.script(failing(COLLISION));
    await expect(transact(table, [putting(key, 1), putting(freshKey(), 2)])).rejects.toMatchObject({
      code: 'unavailable',
      retryAfter: 1,
    });
    expect(operations()).toEqual(Array(8).fill('TransactWriteItems'));
    wire.reset();
    expect(await numbers([key])).toEqual([undefined]);
  });

  test('as a transaction of its own', async () => {
    const inputs = inputsOver(wire, failing(COLLISION, 1));
    await transact(table, [putting(freshKey(), 1), putting(freshKey(), 2)]);
    const tokens = inputs.map(({ ClientRequestToken }) => ClientRequestToken);
    expect(new Set(tokens).size).toBe(2);
  });

  test.each([
    ['ItemCollectionSizeLimitExceeded', cancelled('ItemCollectionSizeLimitExceeded', 'None')],
    ['ValidationError', cancelled('None', 'ValidationError')],
    ['nothing that is told', cancelled()],
  ])('but not where it is cancelled for %s', async (_what, fault) => {
    wire.script(failing(fault));
    const transaction = transact(table, [putting(freshKey(), 1), putting(freshKey(), 2)]);
    await expect(transaction).rejects.toMatchObject({ name: 'TransactionCanceledException' });
    expect(operations()).toEqual(['TransactWriteItems']);
  });

  test.each([
    ['is down', DOWN],
    ['throttles', THROTTLED],
  ])('only by the SDK where DynamoDB %s', async (_what, fault) => {
    wire.script(failing(fault));
    const error = await transact(table, [putting(freshKey(), 1)]).catch((thrown: unknown) => thrown);
    expect(isOutage(error)).toBe(true);
    expect(operations()).toEqual(Array(3).fill('TransactWriteItems'));
  });
});
