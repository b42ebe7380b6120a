import { AGAIN, retry } from '../../async/retry.ts';
import type { Account } from '../../item/account.ts';
import type { Runtime } from '../../runtime.ts';
import { assign } from '../../table/expressions.ts';
import { accountKey, tokenKey } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { transact } from '../../table/write.ts';
import { asRead, readAccount } from '../account.ts';
import { countTokens } from './count.ts';
import { freeName, isHeld, readNames } from './names.ts';

/** Tokens of one transaction: 100 writes are three deletions a token, the account and the condition of the caller. */
const AT_ONCE = 32;

/** Clears the count and the ends of an account without token names: they have expired, or a backup was torn. */
function forgetEnds(table: Table, owner: Account) {
  const expected = { ...asRead(owner), token_ends: owner.token_ends };
  const forgotten = assign({ token_count: 0, token_ends: undefined }, expected);
  return transact(table, [{ Update: { Key: accountKey(owner.username), ...forgotten } }]);
}

/**
 * Deletes all API tokens of a cancelled account, which cannot get new ones. A transaction deletes many of them, without
 * events: the event of the reactivation reports their number.
 *
 * @returns the number of deleted tokens that had not expired; the others stay if another request reactivates the account
 *   meanwhile
 */
export async function deleteTokensOfCancelled(
  { table, now }: Pick<Runtime, 'table' | 'now'>,
  target: Account,
): Promise<number> {
  let revoked = 0;
  const deleteSome = async () => {
    const [owner, all] = await Promise.all([readAccount(table, target.username), readNames(table, target)]);
    const names = all.slice(0, AT_ONCE);
    if (!owner || owner.isactive || (names.length === 0 && !owner.token_ends && !owner.token_count))
      return false;
    if (names.length === 0) return (await forgetEnds(table, owner)) ? AGAIN : false;
    const time = now();
    const failed = await transact(table, [
      countTokens(owner, { removed: names }, undefined, time),
      ...names.flatMap((name) => [
        freeName(name),
        ...[name, name.former].flatMap((it) => (it ? [{ Delete: { Key: tokenKey(it.sha256) } }] : [])),
      ]),
    ]);
    if (failed) return AGAIN;
    revoked += names.filter((name) => isHeld(name, time)).length;
    return true;
  };
  while (await retry(deleteSome));
  return revoked;
}
