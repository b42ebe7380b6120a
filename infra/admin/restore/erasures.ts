import { readAccounts } from '#lib/account/account';
import { eraseAccount } from '#lib/erasure/erase';
import { contract } from '#lib/erasure/erase.contract';
import { recordErased } from '#lib/erasure/record';
import type { Account } from '#lib/item/account';
import type { AuditEntry } from '#lib/item/audit-entry';
import type { Erased } from '#lib/item/erasure';
import { erasedIdKey } from '#lib/table/keys';
import { getAll, MAX_BATCH } from '#lib/table/read';
import type { Diagnosis } from '../diagnosis.ts';
import type { Target } from '../target.ts';
import { counted } from '../terminal/progress.ts';

/** Name of the check. */
export const ERASURES = 'erasures';

interface Entry {
  readonly username: string;
  readonly erased: Erased;
}

/** The erasure that an entry of the audit log is about, by the ID of the account; none if it was a repeat. */
function erasureIn({ actor, target: username, time, changed, details }: AuditEntry): [string, Entry][] {
  const { userid: erased_id, erased_at = time } = details ?? {};
  if (!changed || actor === null || username === null || typeof erased_id !== 'string') return [];
  return [[erased_id, { username, erased: { erased_id, erased_at: `${erased_at}`, erased_by: actor } }]];
}

/**
 * The erasures of the audit log, which outlives a restore, that a table does not know: the accounts that are back, and those
 * that it does not have either. A name that another account got again has another ID.
 */
async function unknownTo({ audit, runtime: { table } }: Target) {
  const actions = [contract.id, 'admin account erase'];
  const entries = (await Promise.all(actions.map((action) => audit.read({ action, outcome: 'ok' })))).flat();
  const all = [...new Map(entries.flatMap(erasureIn)).values()];
  const back: Account[] = [];
  const lost: Entry[] = [];
  for (let start = 0; start < all.length; start += MAX_BATCH) {
    const some = all.slice(start, start + MAX_BATCH);
    const rows = await getAll(
      table,
      some.map(({ erased }) => erasedIdKey(erased.erased_id)),
    );
    const missing = some.filter((_, index) => rows[index] === undefined);
    if (missing.length === 0) continue;
    const accounts = await readAccounts(
      table,
      missing.map(({ username }) => username),
    );
    for (const [index, entry] of missing.entries()) {
      const account = accounts[index];
      if (account?.id === entry.erased.erased_id) back.push(account);
      else lost.push(entry);
    }
  }
  return { back, lost };
}

/** Whether a restore has brought back erased accounts, or has lost that others were erased. */
export async function erasureFindings(target: Target): Promise<Diagnosis> {
  const { back, lost } = await unknownTo(target);
  const found = [
    ...(back.length > 0 ? [`${counted(back.length, 'erased account')} back`] : []),
    ...(lost.length > 0 ? [`${counted(lost.length, 'erasure')} lost, so the name may be given away`] : []),
  ];
  return found.length === 0
    ? { check: ERASURES, state: 'ok', found: 'no erased account is back, and no erasure lost' }
    : { check: ERASURES, state: 'missing', found: found.join('; ') };
}

/** Erases again what a restore brought back, in whatever state it is, and records the erasures that it lost. */
export async function eraseAgain(target: Target): Promise<void> {
  const { runtime, actor } = target;
  const { back, lost } = await unknownTo(target);
  for (const account of back) await eraseAccount(runtime, account.username, account, actor, { state: true });
  // The latest first: it may have been of somebody who had erased others.
  for (const { username, erased } of lost.toSorted((one, other) =>
    one.erased.erased_at < other.erased.erased_at ? 1 : -1,
  ))
    await recordErased(runtime, username, erased);
}
