import type { Account } from '../item/account.ts';
import type { Announcement } from '../outbox/announcement.ts';
import { expecting } from '../table/expressions.ts';
import { accountKey } from '../table/keys.ts';
import type { TransactWrite } from '../table/write.ts';

/** Most API tokens of an account. */
export const MAX_TOKENS = 100;

/** Adds to the number of tokens of an account, which must be as the event reports it. */
export function countedTokens(
  owner: Account,
  added: 1 | 0 | -1,
  announcement: Announcement | undefined,
): TransactWrite {
  const told = announcement && expecting(announcement.expected(owner));
  const makesRoom = added < 0 ? [] : ['isactive = :true AND token_count <= :room'];
  const conditions = [...makesRoom, ...(told ? [told.ConditionExpression] : [])];
  return {
    Update: {
      Key: accountKey(owner.username),
      UpdateExpression: 'ADD token_count :added',
      ...(conditions.length > 0 ? { ConditionExpression: conditions.join(' AND ') } : {}),
      ...(told ? { ExpressionAttributeNames: told.ExpressionAttributeNames } : {}),
      ExpressionAttributeValues: {
        ':added': added,
        ...(added < 0 ? {} : { ':true': true, ':room': MAX_TOKENS - added }),
        ...told?.ExpressionAttributeValues,
      },
    },
    otherwise: (account) =>
      added < 0 ? undefined : refusal(account as Account | undefined, MAX_TOKENS - added),
  };
}

function refusal(account: Account | undefined, room: number) {
  if (account?.isactive === false) return 'account_cancelled';
  return (account?.token_count ?? MAX_TOKENS) > room ? 'token_limit' : undefined;
}
