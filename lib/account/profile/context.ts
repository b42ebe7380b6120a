import { Failure } from '../../failure/failure.ts';
import type { Account } from '../../item/account.ts';
import { assign } from '../../table/expressions.ts';
import { accountKey } from '../../table/keys.ts';
import { optimistically } from '../../table/optimistic.ts';
import type { Table } from '../../table/table.ts';
import { update } from '../../table/write.ts';
import { asRead } from '../account.ts';

/**
 * Makes an application of the account its default.
 *
 * @throws Failure `app_not_found`, `account_cancelled`
 */
export const switchContext = (table: Table, target: Account, app: string) =>
  optimistically<Account | undefined, { username: string; user_app_name: string }>(
    target,
    async (account) => {
      if (!account?.apps.includes(app)) throw new Failure('app_not_found');
      const { username } = account;
      if (!account.isactive) throw new Failure('account_cancelled');
      const changes = assign({ user_app_name: app }, asRead(account));
      const failed = await update(table, { Key: accountKey(username), ...changes });
      return failed ?? { username, user_app_name: app };
    },
  );
