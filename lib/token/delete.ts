import { Failure } from '../failure.ts';
import type { Account } from '../item/account.ts';
import { expecting } from '../table/expressions.ts';
import { accountKey, tokenKey, tokenNameKey } from '../table/keys.ts';
import { optimistically } from '../table/optimistic.ts';
import { get } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { transact } from '../table/write.ts';

/**
 * Deletes an API token: the next request that presents it is refused.
 *
 * @throws Failure `token_not_found`
 */
export async function deleteToken(table: Table, { username }: Account, name: string) {
  const key = tokenNameKey(username, name);
  return optimistically(await get(table, key), async (found) => {
    if (!found) throw new Failure('token_not_found');
    const failed = await transact(table, [
      { Delete: { Key: key, ...expecting({ sha256: found.sha256 }) } },
      { Delete: { Key: tokenKey(found.sha256) } },
      {
        Update: {
          Key: accountKey(username),
          UpdateExpression: 'ADD token_count :minus',
          ExpressionAttributeValues: { ':minus': -1 },
        },
      },
    ]);
    return failed ?? { username, name };
  });
}
