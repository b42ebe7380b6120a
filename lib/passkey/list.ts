import type { Caller } from '../account/caller.ts';
import { relyingPartyId } from '../instance/relying-party.ts';
import type { Account } from '../item/account.ts';
import type { Runtime } from '../runtime.ts';
import { passkeysOf, shown, userHandleOf } from './passkey.ts';

/**
 * Lists the passkeys of an account. Only its owner gets what a device knows them by: it can then drop those that the account
 * no longer has.
 */
export async function listPasskeys({ table, settings }: Runtime, caller: Caller, account: Account) {
  const rp_id = relyingPartyId(settings);
  const all = await passkeysOf(table, account);
  if (caller.id !== account.id) return { items: all.map((each) => shown(each, rp_id, account)) };
  const items = all.map((each) => ({ ...shown(each, rp_id, account), credential_id: each.credential_id }));
  return { items, rp_id, user_handle: userHandleOf(account) };
}
