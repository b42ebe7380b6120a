import { Failure } from '../../failure.ts';
import type { Account } from '../../item/account.ts';
import { accountKey } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { update } from '../../table/write.ts';

/**
 * Makes an application of the account its default.
 *
 * @throws Failure `app_not_found`, `account_cancelled`
 */
export async function switchContext(table: Table, { username }: Account, app: string) {
  const result = await update(table, {
    Key: accountKey(username),
    UpdateExpression: 'SET user_app_name = :app',
    ConditionExpression: 'contains(apps, :app) AND isactive = :true',
    ExpressionAttributeValues: { ':app': app, ':true': true },
  });
  if (!result) return { username, user_app_name: app };
  throw new Failure(result.item?.apps.includes(app) ? 'account_cancelled' : 'app_not_found');
}
