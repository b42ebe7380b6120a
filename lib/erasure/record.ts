import { type Erased, pseudonymOf } from '../item/erasure.ts';
import { findErased } from '../pseudonym/erased.ts';
import type { HashName } from '../pseudonym/name-hash.ts';
import type { Runtime } from '../runtime.ts';
import { accountKey, erasedIdKey, erasedNameKey, erasureKey } from '../table/keys.ts';
import { storing, type TransactWrite, transact } from '../table/write.ts';
import { isoOf } from '../time.ts';

/** The rows that remain of an erased account. @param hash of its username */
export const rowsOf = (hash: string, erased: Erased) =>
  [
    storing(erasedNameKey(hash), { ...erased, name_reused_at: undefined } as Erased),
    storing(erasedIdKey(erased.erased_id), erased),
  ] as const;

/**
 * Records an erasure in a table that has neither its account nor its rows, as after a restore to a time before the account
 * was created. The job then hides the name in entries that have been collected since. Where another account has the name, or
 * a later erasure its row, only the ID is recorded.
 *
 * @param erased as the audit log has it: its actor may have been erased since
 */
export async function recordErased(
  { table, hashName, now }: Pick<Runtime, 'table' | 'now'> & { readonly hashName: HashName },
  username: string,
  erased: Erased,
): Promise<void> {
  const { erased_id, erased_at } = erased;
  const eraser = await findErased(table, hashName, erased.erased_by);
  // Later, the name is that of another account.
  const isHidden = eraser !== undefined && eraser.erased_at >= erased_at;
  const own = { ...erased, ...(isHidden && { erased_by: pseudonymOf(eraser.erased_id) }) };
  const [ofName, ofId] = rowsOf(await hashName(username, true), own);
  const isLatest = 'attribute_not_exists(erased_at) OR erased_at <= :to_erased_at';
  const writes: readonly TransactWrite[] = [
    {
      ConditionCheck: { Key: { ...accountKey(username) }, ConditionExpression: 'attribute_not_exists(PK)' },
    },
    { Update: { ...ofName.Update, ConditionExpression: isLatest } },
    ofId,
    storing(erasureKey(erased_id), {
      erasing_username: username,
      // Requests that have begun before may still write.
      erased_at: isoOf(now()),
      erasing_generation: 0,
      erasing_passkeys: [],
      erasing_trusts: undefined,
      erasing_cancellation: undefined,
    }),
  ];
  if (await transact(table, writes)) await transact(table, [ofId]);
}
