import type { PasswordCost } from '../item/instance.ts';
import type { Settings } from '../settings.ts';
import { expecting } from '../table/expressions.ts';
import { formerPasswordKey, passwordCostKey, passwordKey } from '../table/keys.ts';
import { allUsernames } from '../table/listing.ts';
import { get, getAll, MAX_BATCH } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { put, update } from '../table/write.ts';
import { costOf } from './hash.ts';

/**
 * Highest cost of any hash, which every verification takes: the time of a refusal does not reveal whether the username
 * has an account.
 */
export const highestCost = (noted: PasswordCost | undefined, { BcryptCost }: Settings): number =>
  Math.max(BcryptCost, noted?.cost ?? 0);

/** Notes a cost of existing hashes, unless a higher one is noted. */
export async function noteCost(table: Table, cost: number): Promise<void> {
  await update(table, {
    Key: passwordCostKey,
    UpdateExpression: 'SET cost = :cost',
    ConditionExpression: 'attribute_not_exists(cost) OR cost < :cost',
    ExpressionAttributeValues: { ':cost': cost },
  });
}

/**
 * Counts the hashes of all accounts by their cost, and notes the highest, even if it is lower than the one noted
 * before. Operators run it when few expensive hashes remain, because it reads the whole directory.
 */
export async function surveyCosts(table: Table) {
  const before = await get(table, passwordCostKey);
  const counts = new Map<number, number>();
  for await (const names of allUsernames(table, MAX_BATCH / 2)) {
    const found = await getAll(table, [...names.map(passwordKey), ...names.map(formerPasswordKey)]);
    for (const index of names.keys()) {
      const stored = found[index] ?? found[names.length + index];
      if (stored) counts.set(costOf(stored.hash), (counts.get(costOf(stored.hash)) ?? 0) + 1);
    }
  }

  const cost = Math.max(0, ...counts.keys());
  // A higher cost that was noted meanwhile is kept.
  await put(table, passwordCostKey, { cost }, expecting({ cost: before?.cost }));
  return [...counts].sort(([a], [b]) => a - b).map(([cost, passwords]) => ({ cost, passwords }));
}
