import { expect } from 'vitest';
import { inParallel } from '#lib/in-parallel';
import { type Account, liveTokens } from '#lib/item/account';
import { type Key, tokenKey, tokenNameKey } from '#lib/table/keys';
import { remove } from '#lib/table/write';
import { createToken } from '#lib/token/create';
import { deleteToken } from '#lib/token/delete';
import { listTokens } from '#lib/token/list';
import type { CreatedToken } from '#lib/token/record';
import { hashApiToken } from '#lib/token/secret';
import { by, NOON, type TestTable } from '../support/engine.ts';

export const END = NOON + 1500;
const root = by('root');

export const keysOf = ({ value, username, name }: CreatedToken): Key[] => [
  tokenKey(hashApiToken(value)),
  tokenNameKey(username, name),
];

/** Accounts with tokens that expire around one instant: counts stay exact and names become free, whatever is removed. */
export async function expiringTogether(
  { table, clock, runtime, account, stored, operations, wire }: TestTable,
  accounts: number,
  perAccount: number,
): Promise<void> {
  const live = async (owner: Account) => liveTokens(await stored(owner), clock.time);
  const namesOf = async (owner: Account) => (await listTokens(runtime, owner)).items.map(({ name }) => name);
  const owners = await Promise.all(Array.from({ length: accounts }, () => account()));
  // A third each ends before, at and after the instant.
  const all = await inParallel(
    owners.flatMap((owner) => Array.from({ length: perAccount }, (_, n) => ({ owner, n }))),
    async ({ owner, n }) => createToken(runtime, owner, `t${n}`, root, { expires_at: END - 1 + (n % 3) }),
    10,
  );
  for (const owner of owners) expect(await live(owner)).toBe(perAccount);
  clock.time = END;
  const left = perAccount - Math.ceil((perAccount * 2) / 3);
  // Of expired tokens, time to live has removed any half of the items, in no order.
  const expired = all.filter(({ token_expires_at }) => Date.parse(`${token_expires_at}Z`) <= clock.time);
  const removable = expired.flatMap(keysOf).map((key) => [Math.random(), key] as const);
  const removed = removable.toSorted(([a], [b]) => a - b).slice(0, removable.length / 2);
  await inParallel(removed, ([, key]) => remove(table, key), 10);
  for (const owner of owners) {
    expect(await live(owner)).toBe(left);
    expect(await namesOf(owner)).toHaveLength(left);
  }
  wire.reset();
  // Parallel writers of one account use each name again, replace and delete.
  await inParallel(
    owners.flatMap((owner) => [0, 1, 3, 4].map((n) => ({ owner, n }))),
    ({ owner, n }) => createToken(runtime, owner, `t${n}`, root, n % 2 ? { expires_at: END + 9 } : {}),
    10,
  );
  expect(operations().filter((one) => one !== 'TransactWriteItems')).toEqual([]);
  for (const owner of owners) {
    await deleteToken(runtime, await stored(owner), 't2', root);
    expect(await live(owner)).toBe(left + 3);
    const { token_count, token_ends } = await stored(owner);
    expect([token_count, token_ends?.length]).toEqual([left + 3, left + 1]);
    expect(await namesOf(owner)).toHaveLength(left + 3);
  }
  clock.time = END + 9;
  for (const owner of owners) expect(await live(owner)).toBe(2);
}
