import type { Account } from '../item/account.ts';
import type { Runtime } from '../runtime.ts';
import { assign } from '../table/expressions.ts';
import { accountKey } from '../table/keys.ts';
import { update } from '../table/write.ts';

/**
 * Notes that a passkey was refused because its signature counter did not rise: its login gets the same answer as any other,
 * and it may be refused for ever, so its owner and administrators have to find it. The first refusal of a passkey writes, further
 * ones do not.
 *
 * @param id of the passkey
 */
export async function noteFall({ table, now }: Runtime, account: Account, id: string): Promise<void> {
  const { counters_fell: known } = account;
  if (known?.[id] !== undefined) return;
  const key = accountKey(account.username);
  const counters_fell = { ...known, [id]: new Date(now()).toISOString() };
  // If another passkey was faster, the next refusal notes this one.
  await update(table, { Key: key, ...assign({ counters_fell }, { PK: key.PK, counters_fell: known }) });
}
