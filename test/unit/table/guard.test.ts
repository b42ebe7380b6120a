import { describe, expect, test } from 'vitest';
import type { Key } from '#lib/table/keys';
import { get } from '#lib/table/read';
import type { Guard } from '#lib/table/table';
import { put, transact, update } from '#lib/table/write';
import { openTestTable } from '../support/engine.ts';
import { freshKey, type Thing } from './things.ts';

const { table, wire, operations } = await openTestTable();

/** Demands that a thing has a number of at least 5. */
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

/** A thing with a number that guards, and another one. */
async function guarding(n: number) {
  const [guard, other] = [freshKey(), freshKey()];
  await Promise.all([put(table, guard, { n }), put(table, other, { n: 1 })]);
  wire.reset();
  return { guard, other, guarded: { ...table, guard: atLeastFive(guard) } };
}
const number = async (key: Key<Thing>) => (await get(table, key))?.n;

describe('through a handle with a guard', () => {
  test('another item is updated together with a check of the guard', async () => {
    const { guarded, other } = await guarding(5);
    expect(await update(guarded, setting(other, 2))).toBeUndefined();
    expect(operations()).toEqual(['TransactWriteItems']);
    expect(await number(other)).toBe(2);
  });

  test('a failed guard refuses the update of another item', async () => {
    const { guarded, other } = await guarding(4);
    await expect(update(guarded, setting(other, 2))).rejects.toMatchObject({ code: 'forbidden' });
    expect(await number(other)).toBe(1);
  });

  test('the guarding item itself is updated alone, under both conditions', async () => {
    const { guarded, guard } = await guarding(7);
    expect(await update(guarded, setting(guard, 9, ONLY_SEVEN))).toBeUndefined();
    expect(operations()).toEqual(['UpdateItem']);
    expect(await number(guard)).toBe(9);
  });

  test('neither of the two conditions loosens the other', async () => {
    for (const [n, outcome] of [
      [-1, 'forbidden'],
      [4, 'forbidden'],
      [6, { item: { n: 6 } }],
    ] as const) {
      const { guarded, guard } = await guarding(n);
      const result = update(guarded, setting(guard, 9, ONLY_SEVEN));
      if (typeof outcome === 'string') await expect(result).rejects.toMatchObject({ code: outcome });
      else expect(await result).toMatchObject(outcome);
      expect(await number(guard)).toBe(n);
    }
  });

  test('an update without a condition of its own has that of the guard', async () => {
    const { guarded, guard } = await guarding(4);
    await expect(update(guarded, setting(guard, 9))).rejects.toMatchObject({ code: 'forbidden' });
    expect(await number(guard)).toBe(4);
  });

  test('a transaction is checked, whether it writes to the guarding item or not', async () => {
    for (const n of [4, 5]) {
      const { guarded, guard, other } = await guarding(n);
      const both = [{ Update: setting(guard, 9) }, { Update: setting(other, 2) }];
      const results = await Promise.allSettled([
        transact(guarded, [{ Put: { Item: { ...freshKey(), n: 1 } } }]),
        transact(guarded, both),
      ]);
      expect(results.map(({ status }) => status)).toEqual(Array(2).fill(n === 5 ? 'fulfilled' : 'rejected'));
      expect([await number(guard), await number(other)]).toEqual(n === 5 ? [9, 2] : [4, 1]);
    }
  });

  test('the failure of the guard goes before that of the write', async () => {
    const write = { ...ONLY_SEVEN, otherwise: 'account_exists' as const };
    const refusal = async (n: number, ofGuard: boolean) => {
      const { guarded, guard, other } = await guarding(n);
      const { otherwise, ...input } = write;
      const Update = setting(ofGuard ? guard : other, 9, input);
      return transact(guarded, [{ Update, otherwise }]).catch(({ code }) => code);
    };
    expect([await refusal(4, true), await refusal(4, false)]).toEqual(['forbidden', 'forbidden']);
    expect([await refusal(6, true), await refusal(6, false)]).toEqual(['account_exists', 'account_exists']);
  });
});
