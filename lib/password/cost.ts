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
 * The cost that every verification is made to take: of the hash of an account, so that none is told from a name
 * without an account by the time of its refusal.
 */
export const dearestCost = (noted: PasswordCost | undefined, { BcryptCost }: Settings): number =>
  Math.max(BcryptCost, noted?.cost ?? 0);

/** Notes that there are hashes of a cost, unless a dearer one is noted. */
export async function noteCost(table: Table, cost: number): Promise<void> {
  await update(table, {
    Key: passwordCostKey,
    UpdateExpression: 'SET cost = :cost',
    ConditionExpression: 'attribute_not_exists(cost) OR cost < :cost',
    ExpressionAttributeValues: { ':cost': cost },
  });
}

/**
 * Counts the hashes of all accounts by their cost, and notes the dearest, be it cheaper than the one noted before. It
 * reads the whole directory: an operator asks for it once few dear hashes are left.
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
  // A dearer one that was noted meanwhile stays.
  await put(table, passwordCostKey, { cost }, expecting({ cost: before?.cost }));
  return [...counts].sort(([a], [b]) => a - b).map(([cost, passwords]) => ({ cost, passwords }));
}
