import type { Settings } from '../instance/settings.ts';
import type { PasswordCost } from '../item/instance.ts';
import { expecting } from '../table/expressions.ts';
import { passwordCostKey, passwordKey } from '../table/keys.ts';
import { allUsernames } from '../table/listing.ts';
import { get, getAll, MAX_BATCH } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { put, update } from '../table/write.ts';
import { type Cost, costIn } from './imported.ts';

type Kind = keyof PasswordCost;

/** The name of a kind of imported hashes. */
export const nameOf = (kind: Exclude<Kind, 'cost'>) =>
  kind === 'imported' ? 'imported bcrypt' : `PBKDF2-HMAC-${kind.toUpperCase()}`;

/**
 * Highest cost of any bcrypt hash, which every verification takes: the time of a refusal does not reveal whether the
 * username has an account.
 */
export const highestCost = (noted: PasswordCost | undefined, { BcryptCost }: Settings): number =>
  Math.max(BcryptCost, noted?.cost ?? 0, noted?.imported ?? 0);

/** Notes a cost of existing hashes of a kind, unless a higher one is noted. */
export async function noteCost(table: Table, cost: number, kind: Kind = 'cost'): Promise<void> {
  await update(table, {
    Key: passwordCostKey,
    UpdateExpression: 'SET #kind = :cost',
    ConditionExpression: 'attribute_not_exists(#kind) OR #kind < :cost',
    ExpressionAttributeNames: { '#kind': kind },
    ExpressionAttributeValues: { ':cost': cost },
  });
}

/** Notes costs of existing hashes, except those that are not above the ones noted. */
export async function noteCosts(table: Table, costs: readonly Cost[], noted?: PasswordCost): Promise<void> {
  for (const [kind, cost] of Object.entries(highestOf(costs)) as [Kind, number][])
    if (cost > (noted?.[kind] ?? 0)) await noteCost(table, cost, kind);
}

/** The highest cost of each kind. */
function highestOf(costs: readonly Cost[]): PasswordCost {
  const highest: { cost: number } & { [kind in Kind]?: number } = { cost: 0 };
  for (const { kind, cost } of costs) highest[kind] = Math.max(highest[kind] ?? 0, cost);
  return highest;
}

/**
 * Counts the hashes of all accounts by their kind and cost, and notes the highest, even if they are lower than those
 * noted before. Operators run it when few expensive hashes remain, because it reads the whole directory.
 */
export async function surveyCosts(table: Table) {
  const before = await get(table, passwordCostKey);
  const counts = new Map<string, Cost & { passwords: number }>();
  for await (const names of allUsernames(table, MAX_BATCH))
    for (const stored of await getAll(table, names.map(passwordKey))) {
      if (!stored) continue;
      const its = costIn(stored.hash);
      const row = `${its.kind} ${its.cost}`;
      counts.set(row, { ...its, passwords: (counts.get(row)?.passwords ?? 0) + 1 });
    }

  const all = [...counts.values()];
  const { cost, imported, sha1, sha256, sha512 } = before ?? {};
  // A higher cost that was noted meanwhile is kept.
  await put(table, passwordCostKey, highestOf(all), expecting({ cost, imported, sha1, sha256, sha512 }));
  return all
    .sort((a, b) => a.kind.localeCompare(b.kind) || a.cost - b.cost)
    .map(({ kind, ...row }) => (kind === 'cost' ? row : { ...row, kind: nameOf(kind) }));
}
