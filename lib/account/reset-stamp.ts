import type { Account } from '../item/account.ts';
import type { Runtime } from '../runtime.ts';
import { accountKey } from '../table/keys.ts';
import { update } from '../table/write.ts';

/** Changes the security stamp: every session token of the account dies. API tokens live on. */
export const resetStamp = ({ table, uuid }: Runtime, { username }: Account) =>
  update(table, {
    Key: accountKey(username),
    UpdateExpression: 'SET stamp = :stamp',
    ConditionExpression: 'attribute_exists(PK)',
    ExpressionAttributeValues: { ':stamp': uuid() },
  });
