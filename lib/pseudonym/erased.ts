import { type Erased, isIdLike } from '../item/erasure.ts';
import { erasedIdKey, erasedNameKey } from '../table/keys.ts';
import { getAll } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import type { HashName } from './name-hash.ts';

/** Those of some names that are IDs of erased accounts. It reads only names of this form, which few usernames have. */
export async function erasedIdsAmong(table: Table, names: readonly string[]): Promise<readonly string[]> {
  const ids = names.filter(isIdLike);
  const rows = await getAll(table, ids.map(erasedIdKey));
  return ids.filter((_, index) => rows[index] !== undefined);
}

/** Whether a name is the ID of an erased account. */
export const isErasedId = async (table: Table, name: string): Promise<boolean> =>
  (await erasedIdsAmong(table, [name])).length > 0;

/** The erased account that has this ID, or had this username. */
export async function findErased(
  table: Table,
  hashName: HashName,
  name: string,
): Promise<Erased | undefined> {
  const [byName, byId] = await getAll(table, [erasedNameKey(await hashName(name)), erasedIdKey(name)]);
  return byId ?? byName;
}

/** The erased account whose username had this hash. */
export const erasedHashed = async (table: Table, hash: string): Promise<Erased | undefined> =>
  (await getAll(table, [erasedNameKey(hash)]))[0];

/** The erased account of an ID. */
export const erasedWithId = async (table: Table, id: string): Promise<Erased | undefined> =>
  (await getAll(table, [erasedIdKey(id)]))[0];

/** The erased accounts among those of these usernames; changes of the last second may be missing. */
export async function erasedAmong(
  table: Table,
  hashName: HashName,
  names: readonly string[],
): Promise<ReadonlyMap<string, Erased>> {
  const keys = (await Promise.all(names.map((name) => hashName(name)))).map(erasedNameKey);
  const erased = await getAll(table, keys, false);
  return new Map(names.flatMap((name, index) => (erased[index] ? [[name, erased[index]]] : [])));
}
