import type { Account } from '../item/account.ts';
import type { Runtime } from '../runtime.ts';
import { readCounters } from '../stats/counters.ts';
import { forEach, type Progress, patiently } from '../table/bulk.ts';
import { accountKey } from '../table/keys.ts';
import { allUsernames } from '../table/listing.ts';
import { MAX_BATCH } from '../table/read.ts';
import { update } from '../table/write.ts';
import { readAccounts } from './account.ts';

/** Changes the security stamp: every session token of the account dies. API tokens live on. */
export const resetStamp = ({ table, uuid }: Runtime, { username }: Account) =>
  update(table, {
    Key: accountKey(username),
    UpdateExpression: 'SET stamp = :stamp',
    ConditionExpression: 'attribute_exists(PK)',
    ExpressionAttributeValues: { ':stamp': uuid() },
  });

/**
 * Changes the security stamp that an account had when it was read; where it has another by now, those sessions have
 * ended already. The write may come twice: the stamp that it makes is expected, too.
 */
export const endSessions = ({ table, uuid }: Runtime, { username, stamp }: Account) =>
  update(table, {
    Key: accountKey(username),
    UpdateExpression: 'SET stamp = :after',
    ConditionExpression: 'stamp IN (:before, :after)',
    ExpressionAttributeValues: { ':before': stamp, ':after': uuid() },
  });

/** When a stamp was made, in milliseconds since the epoch: it is a UUID version 7. Of any other, long ago. */
export const stampedAt = (stamp: string): number =>
  /^[\da-f]{8}-[\da-f]{4}-7/.test(stamp) ? Number.parseInt(stamp.replace('-', '').slice(0, 12), 16) : 0;

/**
 * Changes the security stamps of all accounts that are older than a time: every session token of before dies. API tokens
 * live on. It may be cut off: the next call with the same time changes what is left. It reads the whole directory.
 *
 * @param before in milliseconds since the epoch
 * @param tell is told of the accounts that are done, of about how many
 * @returns how many accounts there are, and how many stamps were changed
 */
export async function resetStamps(
  runtime: Runtime,
  before: number,
  tell: (progress: Progress) => void = () => undefined,
) {
  const { table } = runtime;
  const { count: total } = await readCounters(table);
  let accounts = 0;
  let reset = 0;
  for await (const usernames of allUsernames(table, MAX_BATCH)) {
    const read: readonly (Account | undefined)[] = await patiently(() => readAccounts(table, usernames));
    const found = read.filter((account) => account !== undefined);
    const left = found.filter(({ stamp }) => stampedAt(stamp) < before);
    await forEach(left, (account) => patiently(() => resetStamp(runtime, account)));
    accounts += found.length;
    reset += left.length;
    tell({ done: accounts, total: Math.max(total, accounts) });
  }
  return { accounts, reset };
}
