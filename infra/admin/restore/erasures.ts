import { readAccounts } from '#lib/account/account';
import { eraseAccount } from '#lib/erasure/erase';
import { contract } from '#lib/erasure/erase.contract';
import type { Account } from '#lib/item/account';
import { erasedIdKey } from '#lib/table/keys';
import { getAll, MAX_BATCH } from '#lib/table/read';
import type { Diagnosis } from '../diagnosis.ts';
import type { Target } from '../target.ts';
import { counted } from '../terminal/progress.ts';

/** Name of the check. */
export const ERASURES = 'erasures';

/**
 * The accounts of a table that the audit log, which outlives a restore, shows as erased. A name that another account got
 * again has another ID.
 */
async function returned({ audit, runtime: { table } }: Target): Promise<Account[]> {
  const actions = [contract.id, 'admin account erase'];
  const entries = (await Promise.all(actions.map((action) => audit.read({ action, outcome: 'ok' })))).flat();
  const erased = new Map(
    entries.flatMap(({ target, changed, details }) => {
      const id = details?.['userid'];
      return changed && target !== null && typeof id === 'string' ? [[id, target] as const] : [];
    }),
  );
  const all = [...erased];
  const found: Account[] = [];
  for (let start = 0; start < all.length; start += MAX_BATCH) {
    const some = all.slice(start, start + MAX_BATCH);
    const rows = await getAll(
      table,
      some.map(([id]) => erasedIdKey(id)),
    );
    const missing = some.filter((_, index) => rows[index] === undefined);
    if (missing.length === 0) continue;
    const accounts = await readAccounts(
      table,
      missing.map(([, username]) => username),
    );
    for (const [index, [id]] of missing.entries()) {
      const account = accounts[index];
      if (account?.id === id) found.push(account);
    }
  }
  return found;
}

/** Whether a restore has brought back erased accounts. */
export async function erasureFindings(target: Target): Promise<Diagnosis> {
  const found = await returned(target);
  return found.length === 0
    ? { check: ERASURES, state: 'ok', found: 'no erased account is back' }
    : { check: ERASURES, state: 'missing', found: `${counted(found.length, 'erased account')} back` };
}

/** Erases again what a restore brought back, in whatever state it is. */
export async function eraseAgain(target: Target): Promise<void> {
  const { runtime, actor } = target;
  for (const account of await returned(target))
    await eraseAccount(runtime, account.username, account, actor, true);
}
