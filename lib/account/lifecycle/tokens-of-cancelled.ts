import type { Account } from '../../item/account.ts';
import type { TokenName } from '../../item/token.ts';
import { AGAIN, retry } from '../../retry.ts';
import { expecting } from '../../table/expressions.ts';
import { accountKey, type Key, tokenKey, tokenNames } from '../../table/keys.ts';
import { query } from '../../table/read.ts';
import type { Table } from '../../table/table.ts';
import { transact } from '../../table/write.ts';

/** Tokens of one transaction: 100 writes are two deletions a token, the account and the condition of the caller. */
const AT_ONCE = 49;

/**
 * Deletes all API tokens of a cancelled account, which cannot get new ones. A transaction deletes many of them, without
 * events: the event of the reactivation reports their number.
 *
 * @returns the number of deleted tokens; the others stay if another request reactivates the account meanwhile
 */
export async function deleteTokensOfCancelled(table: Table, { username }: Account): Promise<number> {
  let revoked = 0;
  return retry(async () => {
    const names = (await query(table, tokenNames(username))).slice(0, AT_ONCE) as (TokenName & Key)[];
    if (names.length === 0) return revoked;
    const failed = await transact<Account>(table, [
      {
        Update: {
          Key: accountKey(username),
          UpdateExpression: 'ADD token_count :minus',
          ConditionExpression: 'isactive = :false',
          ExpressionAttributeValues: { ':minus': -names.length, ':false': false },
        },
      },
      ...names.flatMap(({ PK, SK, sha256 }) => [
        { Delete: { Key: { PK, SK }, ...expecting({ sha256 }) } },
        { Delete: { Key: tokenKey(sha256) } },
      ]),
    ]);
    if (failed?.item?.isactive) return revoked;
    if (!failed) revoked += names.length;
    return AGAIN;
  });
}
