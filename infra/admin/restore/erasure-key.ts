import { openSecrets } from '#lib/network/secrets';
import { checkOf, hashWith, readErasureKey, storedCheck, writeCheck } from '#lib/pseudonym/erasure-key';
import { erasedNameKey } from '#lib/table/keys';
import { getAll } from '#lib/table/read';
import type { Table } from '#lib/table/table';
import type { Diagnosis } from '../diagnosis.ts';
import { Refusal } from '../refusal.ts';
import type { Target } from '../target.ts';
import { counted } from '../terminal/progress.ts';

/** Name of the check, and of what mends it. */
export const ERASURE_KEY = 'erasure_key';

/** The key of an instance and the check value of its table. */
export interface OwnKey {
  readonly key: string;
  readonly check: string | undefined;
}

/** The own key; undefined for operators who may not read it. */
export async function ownKey({ erasureKey, runtime }: Target): Promise<OwnKey | undefined> {
  const key = await readErasureKey(openSecrets(), { SecretId: erasureKey }).catch((error: Error) => {
    if (error.name !== 'AccessDeniedException') throw error;
  });
  return key === undefined ? undefined : { key, check: await storedCheck(runtime.table) };
}

/** Whether a key is the one of the table, by the check value. */
export const isOfTable = ({ key, check }: OwnKey) => check === checkOf(key);

/** Names whose erasures the table has recorded, by whether a key finds them. Without the audit log, none are known. */
export interface Names<Name = unknown> {
  readonly found: readonly Name[];
  readonly free: readonly Name[];
}

/** Separates names by whether a table has them under the hashes of a key. */
export async function byKey<Name extends { readonly username: string }>(
  table: Table,
  key: string,
  all: readonly Name[],
): Promise<Names<Name>> {
  const rows = await getAll(
    table,
    all.map(({ username }) => erasedNameKey(hashWith(key, username))),
  );
  return {
    found: all.filter((_, index) => rows[index] !== undefined),
    free: all.filter((_, index) => rows[index] === undefined),
  };
}

/** Whether names speak against a key: some were recorded, and none of them by it. */
export const isDisproved = ({ found, free }: Names) => found.length === 0 && free.length > 0;

/** Whether the own key is the one of the table. Names of the audit log prove it, if there are any. */
export function keyFinding(own: OwnKey | undefined, names: Names = { found: [], free: [] }): Diagnosis {
  const finding = (state: Diagnosis['state'], found: string) => ({ check: ERASURE_KEY, state, found });
  if (!own) return finding('unknown', 'only administrators may read the key');
  const found = `${counted(names.found.length, 'name')} of the audit log`;
  if (own.check !== undefined && !isOfTable(own))
    return finding(
      'wrong',
      names.found.length > 0
        ? `the check value of the table is of another key, but ${found} have hashes of this one: "restore adopt-key --force" replaces the check value`
        : 'the secret has another key than the table: "restore adopt-key" copies a kept one',
    );
  if (isDisproved(names))
    return finding(
      'wrong',
      `the table has no hash by this key of ${counted(names.free.length, 'erased name')} of the audit log: "restore adopt-key" copies a kept one; without one, ${own.check === undefined ? '"restore adopt-key --force" begins with this one' : '--mend records these names under this one'}`,
    );
  if (own.check === undefined)
    return finding(
      'missing',
      `the table has no check value of the key${names.found.length > 0 ? '' : '; if it comes from another stack, "restore adopt-key" first copies the key'}`,
    );
  return finding(
    'ok',
    names.found.length > 0 ? `the one of the table, as ${found} prove` : 'the one of the table',
  );
}

/** Writes the check value of the own key into a table that has none. @throws Refusal `no_erasure_key` */
export async function keepKey(target: Target): Promise<void> {
  const own = await ownKey(target);
  if (!own) throw new Refusal('no_erasure_key', 'Only administrators may read the key');
  await writeCheck(target.runtime.table, own.key);
}
