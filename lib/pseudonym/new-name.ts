import { Failure } from '../failure/failure.ts';
import { isIdLike } from '../item/erasure.ts';
import { assign, expecting } from '../table/expressions.ts';
import { erasedIdKey, erasedNameKey, erasureKey } from '../table/keys.ts';
import { get } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import type { TransactWrite } from '../table/write.ts';
import { isoOf } from '../time.ts';

/** The condition of a creation that nobody was erased who had this name, unless it was given to another account since. */
export const notErased = (hash: string): TransactWrite => ({
  ConditionCheck: {
    Key: erasedNameKey(hash),
    ConditionExpression: 'attribute_not_exists(PK) OR attribute_exists(name_reused_at)',
  },
  otherwise: 'account_erased',
});

/** The condition of a creation that its name is not the ID of an erased account, which means the erased one for good. */
export const notErasedId = (username: string): TransactWrite[] =>
  isIdLike(username)
    ? [
        {
          ConditionCheck: {
            Key: erasedIdKey(username),
            ConditionExpression: 'attribute_not_exists(PK)',
          },
          otherwise: () =>
            new Failure('account_erased', { advice: 'The username is the ID of an erased account.' }),
        },
      ]
    : [];

/**
 * The writes by which a creation gives the name of an erased account to another one, which from now on is meant by it. They
 * fail until the erasure is complete: what it still removes under this name would be of the new account.
 *
 * @param now in milliseconds since the epoch
 */
export async function givingAgain(table: Table, hash: string, now: number): Promise<TransactWrite[]> {
  const erased = await get(table, erasedNameKey(hash));
  if (!erased || erased.name_reused_at !== undefined) return [notErased(hash)];
  const { erased_id } = erased;
  return [
    {
      Update: {
        Key: erasedNameKey(hash),
        ...assign({ name_reused_at: isoOf(now) }, { erased_id, name_reused_at: undefined }),
      },
      otherwise: 'account_erased',
    },
    {
      ConditionCheck: { Key: erasureKey(erased_id), ...expecting({ erased_at: undefined }) },
      otherwise: () =>
        new Failure('account_erased', { advice: 'Its erasure is not complete yet: try again in an hour.' }),
    },
  ];
}
