import { Failure } from '../failure/failure.ts';
import type { Account } from '../item/account.ts';
import { optimistically } from '../table/optimistic.ts';
import type { ConditionFailed } from '../table/write.ts';

/**
 * Writes on condition that an account is as it was read, as {@link optimistically} does.
 *
 * @param account as it was read; undefined when it did not exist
 * @param write resolves to the failed condition of the account, or to the result
 * @throws Failure `account_not_found` when it does not exist, as when it is erased meanwhile
 */
export const changeAccount = <Result>(
  account: Account | undefined,
  write: (current: Account) => Promise<Result | ConditionFailed<unknown>>,
  attempts?: number,
): Promise<Result> =>
  optimistically<Account | undefined, Result>(
    account,
    async (current) => {
      if (!current) throw new Failure('account_not_found');
      return write(current);
    },
    attempts,
  );
