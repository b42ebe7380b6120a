import type { Account } from '../account/account.ts';
import { Failure } from '../http/failure.ts';
import { accountKey, tokenKey, tokenNameKey } from '../table/keys.ts';
import { get } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { transact } from '../table/write.ts';

/**
 * Deletes an API token: the next request that presents it is refused.
 *
 * @throws Failure `token_not_found`
 */
export async function deleteToken(table: Table, owner: Account, name: string) {
  for (let attempt = 0; attempt < 5; attempt++) {
    const key = tokenNameKey(owner.username, name);
    const found = await get<{ sha256: string }>(table, key);
    if (!found) throw new Failure('token_not_found');
    const refusal = await transact(table, [
      {
        Delete: {
          Key: key,
          ConditionExpression: 'sha256 = :sha256',
          ExpressionAttributeValues: { ':sha256': found.sha256 },
        },
      },
      { Delete: { Key: tokenKey(found.sha256) } },
      {
        Update: {
          Key: accountKey(owner.username),
          UpdateExpression: 'ADD token_count :minus',
          ExpressionAttributeValues: { ':minus': -1 },
        },
      },
    ]);
    if (!refusal) return { username: owner.username, name };
  }
  throw new Failure('unavailable', { retryAfter: 1 });
}
