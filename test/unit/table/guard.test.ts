import { expect, test } from 'vitest';
import type { Key } from '#lib/table/keys';
import { get } from '#lib/table/read';
import type { Guard } from '#lib/table/table';
import { put, transact, update, updateAll } from '#lib/table/write';
import { openTestTable } from '../support/engine.ts';
import { freshKey, type Thing } from './things.ts';

const { table, wire, operations } = await openTestTable();

/** Requires a number of at least 5, or -1; -1 is refused all the same. */
const atLeastFive = (key: Key<Thing>): Guard => ({
  Key: key,
  ConditionExpression: '#n >= :five OR #n = :all',
  ExpressionAttributeNames: { '#n': 'n' },
  ExpressionAttributeValues: { ':five': 5, ':all': -1 },
  otherwise: (item) => ((item?.['n'] as number) >= 5 ? undefined : 'forbidden'),
});
const setting = (key: Key<Thing>, n: number, more: object = {}) => ({
  Key: key,
  UpdateExpression: 'SET n = :n',
  ExpressionAttributeValues: { ':n': n },
  ...more,
});
const ONLY_SEVEN = {
  ConditionExpression: '#m = :seven OR #m = :eight',
  ExpressionAttributeNames: { '#m': 'n' },
  ExpressionAttributeValues: { ':n': 9, ':seven': 7, ':eight': 8 },
};

/** An item with a number that guards, and two others: one of its partition, one with its sort key in another. */
async function guarding(n: number, guardOf: (key: Key<Thing>) => Guard = atLeastFive) {
  const guard = freshKey();
  const others = [freshKey(), { PK: 'ELSEWHERE', SK: guard.SK }] as const;
  await Promise.all([put(table, guard, { n }), ...others.map((key) => put(table, key, { n: 1 }))]);
  wire.reset();
  return { guard, others, other: others[0], guarded: { ...table, guard: guardOf(guard) } };
}
const number = async (key: Key<Thing>) => (await get(table, key))?.n;
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    ({ code }) => code,
  );

test.each([0, 1] as const)(
  'through a guarded handle, the update of another item checks the guard (%i)',
  async (nth) => {
    const allowed = await guarding(5);
    expect(await update(allowed.guarded, setting(allowed.others[nth], 2))).toBeUndefined();
    expect(operations()).toEqual(['TransactWriteItems']);
    expect(await number(allowed.others[nth])).toBe(2);
    const refused = await guarding(4);
    expect(await codeOf(update(refused.guarded, setting(refused.others[nth], 2)))).toBe('forbidden');
    expect(await number(refused.others[nth])).toBe(1);
  },
);

test.each([
  [7, 'done', 9],
  [6, { item: { n: 6 } }, 6],
  [4, 'forbidden', 4],
  [-1, 'forbidden', -1],
])(
  'through a guarded handle, the update of the guarding item with the number %i has both conditions',
  async (n, outcome, after) => {
    const { guarded, guard } = await guarding(n);
    const result = update(guarded, setting(guard, 9, ONLY_SEVEN));
    if (typeof outcome === 'string') expect(await codeOf(result)).toBe(outcome);
    else expect(await result).toMatchObject(outcome);
    expect(operations()).toEqual(['UpdateItem']);
    expect(await number(guard)).toBe(after);
  },
);

test('through a guarded handle, an update without a condition has that of the guard, with names or without', async () => {
  const unnamed = (key: Key<Thing>): Guard => {
    const { ExpressionAttributeNames: _, ...guard } = atLeastFive(key);
    return { ...guard, ConditionExpression: 'n >= :five OR n = :all' };
  };
  for (const guardOf of [atLeastFive, unnamed]) {
    const [refused, allowed] = [await guarding(4, guardOf), await guarding(5, guardOf)];
    expect(await codeOf(update(refused.guarded, setting(refused.guard, 9)))).toBe('forbidden');
    expect(await codeOf(update(allowed.guarded, setting(allowed.guard, 9)))).toBe('done');
    expect([await number(refused.guard), await number(allowed.guard)]).toEqual([4, 9]);
  }
});

test.each([
  [4, 'forbidden', [4, 1]],
  [5, 'done', [9, 2]],
])(
  'through a guarded handle, transactions and several updates with the number %i check the guard',
  async (n, outcome, after) => {
    const { guarded, guard, other } = await guarding(n);
    const updates = [{ Update: setting(guard, 9) }, { Update: setting(other, 2) }];
    const work = [
      () => transact(guarded, [{ Put: { Item: { ...freshKey(), n: 1 } } }]),
      () => transact(guarded, [{ Delete: { Key: { ...freshKey() } } }]),
      () => updateAll(guarded, updates.slice(1)),
      () => updateAll(guarded, updates),
      () => transact(guarded, updates),
    ];
    for (const each of work) expect(await codeOf(each())).toBe(outcome);
    expect([await number(guard), await number(other)]).toEqual(after);
  },
);

test.each([
  [4, 'forbidden'],
  [6, 'account_exists'],
])('through a guarded handle, the failure of the guard precedes that of the write: %i', async (n, code) => {
  const { guarded, guard, other } = await guarding(n);
  for (const key of [guard, other]) {
    const write = { Update: setting(key, 9, ONLY_SEVEN), otherwise: 'account_exists' as const };
    expect(await codeOf(transact(guarded, [write]))).toBe(code);
    expect(await codeOf(transact(guarded, [{ ...write, otherwise: () => 'account_exists' }]))).toBe(code);
  }
});
