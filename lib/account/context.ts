import { Failure } from '../failure.ts';
import { accountKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { Refusal, update } from '../table/write.ts';
import type { Account } from './account.ts';

/**
 * Makes one of an account's applications its default.
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
  if (!(result instanceof Refusal)) return { username, user_app_name: app };
  const { apps } = result.item as unknown as Account;
  throw new Failure(apps.includes(app) ? 'account_cancelled' : 'app_not_found');
}
