import { beforeEach, describe, expect, test, vi } from 'vitest';
import { isOutage } from '#lib/aws';
import { get } from '#lib/table/read';
import { openTable } from '#lib/table/table';
import { ConditionFailed, put, remove, update } from '#lib/table/write';
import { CONFLICT, DOWN, THROTTLED } from '../../wire/dynamodb-proxy.ts';
import { openTestTable } from '../support/engine.ts';
import { failing, inputsOver } from './inputs.ts';
import { freshKey, NEW } from './things.ts';

const { table, wire, operations } = await openTestTable();

beforeEach(() => {
  // Waits between attempts are as short as they can be.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  return () => vi.restoreAllMocks();
});

describe('put', () => {
  test('writes the item with its key', async () => {
    const key = freshKey();
    expect(await put(table, key, { n: 1 })).toBeUndefined();
    expect(await get(table, key)).toEqual({ ...key, n: 1 });
    expect(operations()).toEqual(['PutItem', 'GetItem']);
  });

  test('replaces an item, where it has no condition', async () => {
    const key = freshKey();
    await put(table, key, { n: 1, text: 'before' });
    expect(await put(table, key, { n: 2 })).toBeUndefined();
    expect(await get(table, key)).toEqual({ ...key, n: 2 });
  });

  test('leaves an item that does not meet the condition, and reports it', async () => {
    const key = freshKey();
    await put(table, key, { n: 1 });
    const failed = await put(table, key, { n: 2 }, NEW);
    expect(failed).toBeInstanceOf(ConditionFailed);
    expect(failed).toEqual({ item: { ...key, n: 1 }, write: undefined });
    expect(await get(table, key)).toEqual({ ...key, n: 1 });
  });

  test('reports no item where none stands', async () => {
    const failed = await put(table, freshKey(), { n: 2 }, { ConditionExpression: 'attribute_exists(PK)' });
    expect(failed).toEqual({ item: undefined, write: undefined });
  });

  test('leaves out what is undefined', async () => {
    const key = freshKey();
    await put(openTable(table.name, wire.url), key, { n: 1, text: undefined });
    expect(await get(table, key)).toEqual({ ...key, n: 1 });
  });
});

describe('update', () => {
  const add = (by: number) => ({
    UpdateExpression: 'ADD n :by',
    ExpressionAttributeValues: { ':by': by },
  });

  test('changes what it names and nothing else', async () => {
    const key = freshKey();
    await put(table, key, { n: 1, text: 'kept' });
    expect(await update(table, { Key: key, ...add(4) })).toBeUndefined();
    expect(await get(table, key)).toEqual({ ...key, n: 5, text: 'kept' });
  });

  test('changes nothing where the condition does not hold, and reports the item', async () => {
    const key = freshKey();
    await put(table, key, { n: 1 });
    const failed = await update(table, { Key: key, ...add(4), ...NEW });
    expect(failed).toBeInstanceOf(ConditionFailed);
    expect(failed).toMatchObject({ item: { ...key, n: 1 } });
    expect(await get(table, key)).toEqual({ ...key, n: 1 });
  });

  test('names the table and the key, and asks for the item either way', async () => {
    const inputs = inputsOver(wire);
    await update(table, { Key: { PK: 'THING', SK: 'asked' }, ...add(1) });
    expect(inputs).toMatchObject([
      {
        TableName: table.name,
        Key: { PK: { S: 'THING' }, SK: { S: 'asked' } },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
    ]);
  });
});

describe('remove', () => {
  test('removes an item, and no other', async () => {
    const [key, other] = [freshKey(), freshKey()];
    await Promise.all([put(table, key, { n: 1 }), put(table, other, { n: 2 })]);
    await remove(table, key);
    expect([await get(table, key), await get(table, other)]).toEqual([undefined, { ...other, n: 2 }]);
  });

  test('passes where there is none', async () => {
    await expect(remove(table, freshKey())).resolves.toBeUndefined();
  });
});

describe('a single write', () => {
  test('that meets a transaction is sent again until it does not', async () => {
    const key = freshKey();
    wire.script(failing(CONFLICT, 3));
    expect(await put(table, key, { n: 1 }, NEW)).toBeUndefined();
    expect(operations()).toEqual(Array(4).fill('PutItem'));
    expect(await get(table, key)).toEqual({ ...key, n: 1 });
  });

  test('that always meets a transaction is given up after eight attempts', async () => {
    wire.script(failing(CONFLICT));
    await expect(put(table, freshKey(), { n: 1 })).rejects.toMatchObject({
      code: 'unavailable',
      retryAfter: 1,
    });
    expect(operations()).toEqual(Array(8).fill('PutItem'));
  });

  test.each([
    ['is down', DOWN, 'InternalServerError'],
    ['throttles', THROTTLED, 'ProvisionedThroughputExceededException'],
  ])('throws an outage where DynamoDB %s, after the attempts of the SDK', async (_what, fault, name) => {
    wire.script(failing(fault));
    const error = await put(table, freshKey(), { n: 1 }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name });
    expect(isOutage(error)).toBe(true);
    expect(operations()).toEqual(Array(3).fill('PutItem'));
  });

  test('that is wrong throws what DynamoDB says, at once', async () => {
    const wrong = put(table, freshKey(), { n: 1 }, { ConditionExpression: 'no condition' });
    await expect(wrong).rejects.toMatchObject({ name: 'ValidationException' });
    expect(operations()).toEqual(['PutItem']);
  });
});
