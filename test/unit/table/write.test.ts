import { expect, test, vi } from 'vitest';
import { Failure } from '#lib/failure/failure';
import type { Key } from '#lib/table/keys';
import { get, getAll } from '#lib/table/read';
import { ConditionFailed, put, remove, type TransactWrite, transact, updateAll } from '#lib/table/write';
import { COLLISION, CONFLICT, cancelled } from '../../wire/dynamodb-proxy.ts';
import { openTestTable } from '../support/engine.ts';
import { shortestWaits } from '../support/shortest-waits.ts';
import { failing } from './inputs.ts';
import { freshKey, NEW, type Thing } from './things.ts';

const { table, wire, operations, inputs } = await openTestTable();

shortestWaits();

const EXISTING = { ConditionExpression: 'attribute_exists(PK)' };
const unavailable = { code: 'unavailable', retryAfter: 1 };

/** Two keys with an item each, and one without. */
async function standing() {
  const keys = [freshKey(), freshKey(), freshKey()] as const;
  await Promise.all([put(table, keys[0], { n: 1, text: 'kept' }), put(table, keys[1], { n: 2 })]);
  wire.reset();
  return keys;
}
type Standing = Awaited<ReturnType<typeof standing>>;

const numbers = async (keys: readonly Key<Thing>[]) => (await getAll(table, keys)).map((thing) => thing?.n);

test('put replaces an item and omits undefined attributes at any depth', async () => {
  const [key] = await standing();
  const item = { n: 2, text: undefined, deep: { n: 3, text: undefined } };
  expect(await put(table, key, item)).toBeUndefined();
  expect(await get(table, key)).toEqual({ ...key, n: 2, deep: { n: 3 } });
});

test('put writes nothing and reports the item when the condition does not hold', async () => {
  const [key, , none] = await standing();
  const failed = await put(table, key, { n: 2 }, NEW);
  expect(failed).toBeInstanceOf(ConditionFailed);
  expect(failed).toEqual({ item: { ...key, n: 1, text: 'kept' }, write: undefined });
  expect(await put(table, none, { n: 2 }, EXISTING)).toEqual({ item: undefined, write: undefined });
  expect(await numbers([key, none])).toEqual([1, undefined]);
});

const adding = (Key: Key<Thing>, by: number) => ({
  Key,
  UpdateExpression: 'ADD n :by',
  ExpressionAttributeValues: { ':by': by },
});

test('updateAll sends no, one or several updates in the cheapest way', async () => {
  const [one, other] = await standing();
  const updates = [{ Update: adding(one, 1) }, { Update: adding(other, 1) }];
  for (const count of [0, 1, 2]) expect(await updateAll(table, updates.slice(0, count))).toBeUndefined();
  expect(operations()).toEqual(['UpdateItem', 'TransactWriteItems']);
  expect(await numbers([one, other])).toEqual([3, 3]);
});

test('remove removes an item only, and passes when there is none', async () => {
  const [key, other, none] = await standing();
  await remove(table, key);
  await remove(table, none);
  expect(await numbers([key, other, none])).toEqual([undefined, 2, undefined]);
});

const putting = (key: Key<Thing>, n: number, more: object = {}): TransactWrite => ({
  Put: { Item: { ...key, n }, ...more },
});

test('a transaction whose answer is lost is not refused for its own writes', async () => {
  const key = freshKey();
  wire.script(failing('lose', 1));
  expect(await transact(table, [putting(key, 1, NEW)])).toBeUndefined();
  expect(operations()).toEqual(['TransactWriteItems', 'TransactWriteItems']);
  expect(await numbers([key])).toEqual([1]);
});

test.each<[string, (keys: Standing) => TransactWrite[], number, number | undefined]>([
  ['of the first write', ([a, b]) => [putting(a, 10, NEW), putting(b, 20)], 0, 1],
  ['first of several', ([a, b, c]) => [putting(c, 3), putting(b, 20, NEW), putting(a, 10, NEW)], 1, 2],
  ['without an item when there is none', ([, , c]) => [putting(c, 3, EXISTING)], 0, undefined],
])('a transaction writes nothing and reports the failed condition %s', async (_what, writesTo, index, n) => {
  const keys = await standing();
  const writes = writesTo(keys);
  const failed = await transact<Thing>(table, writes);
  expect(failed).toBeInstanceOf(ConditionFailed);
  expect(failed?.write).toBe(writes[index]);
  expect(failed?.item?.n).toBe(n);
  expect(operations()).toEqual(['TransactWriteItems']);
  expect(await numbers(keys)).toEqual([1, 2, undefined]);
});

test('a transaction throws the failure that its write derives from the item', async () => {
  const [, second, none] = await standing();
  const limit = new Failure('role_limit');
  const otherwise = vi.fn((item: object | undefined) => (item ? limit : 'account_not_found'));
  const write = { ConditionExpression: 'n = :n', ExpressionAttributeValues: { ':n': 7 } };
  await expect(transact(table, [{ ...putting(second, 30, write), otherwise }])).rejects.toBe(limit);
  await expect(transact(table, [{ ...putting(none, 30, write), otherwise }])).rejects.toMatchObject({
    code: 'account_not_found',
  });
  expect(otherwise.mock.calls).toEqual([[{ ...second, n: 2 }], [undefined]]);
});

test('a transaction whose condition does not hold is final, also when another write has hit a transaction', async () => {
  const writes = [putting(freshKey(), 1), putting(freshKey(), 2)];
  wire.script(failing(cancelled('TransactionConflict', 'ConditionalCheckFailed')));
  const failed = await transact(table, writes);
  expect([failed?.write, failed?.item]).toEqual([writes[1], undefined]);
  expect(operations()).toEqual(['TransactWriteItems']);
});

test.each(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'])(
  'a collision by %s has a transaction sent again, with a token of its own',
  async (code) => {
    const keys = [freshKey(), freshKey()] as const;
    wire.script(failing(cancelled('None', code), 2));
    expect(await transact(table, [putting(keys[0], 1), putting(keys[1], 2)])).toBeUndefined();
    expect(new Set(inputs().map(({ ClientRequestToken }) => ClientRequestToken)).size).toBe(3);
    wire.reset();
    expect(await numbers(keys)).toEqual([1, 2]);
  },
);

test('a single write is sent again after a collision', async () => {
  const key = freshKey();
  wire.script(failing(CONFLICT, 3));
  expect(await put(table, key, { n: 1 }, NEW)).toBeUndefined();
  expect(operations()).toEqual(Array(4).fill('PutItem'));
  expect(await numbers([key])).toEqual([1]);
});

test.each<[string, (key: Key<Thing>) => Promise<unknown>, number]>([
  ['a transaction', (key) => transact(table, [putting(key, 1), putting(freshKey(), 2)]), 8],
  ['an impatient one', (key) => transact(table, [putting(key, 1)], { attempts: 2, maxWaitMs: 1 }), 2],
  ['a single write', (key) => put(table, key, { n: 1 }), 8],
])('a collision makes %s unavailable when it lasts', async (_what, write, attempts) => {
  const key = freshKey();
  wire.script((operation) => (operation === 'PutItem' ? CONFLICT : COLLISION));
  await expect(write(key)).rejects.toMatchObject(unavailable);
  expect(operations()).toHaveLength(attempts);
  wire.reset();
  expect(await numbers([key])).toEqual([undefined]);
});

test.each([
  ['ItemCollectionSizeLimitExceeded', cancelled('ItemCollectionSizeLimitExceeded', 'None')],
  ['ValidationError', cancelled('None', 'ValidationError')],
  ['no reason', cancelled()],
])('an error is thrown at once when a transaction is cancelled for %s', async (_what, fault) => {
  wire.script(failing(fault));
  const transaction = transact(table, [putting(freshKey(), 1), putting(freshKey(), 2)]);
  await expect(transaction).rejects.toMatchObject({ name: 'TransactionCanceledException' });
  expect(operations()).toEqual(['TransactWriteItems']);
});

test('an error is thrown at once when a write is invalid', async () => {
  const wrong = put(table, freshKey(), { n: 1 }, { ConditionExpression: 'no condition' });
  await expect(wrong).rejects.toMatchObject({ name: 'ValidationException' });
  expect(operations()).toEqual(['PutItem']);
});
