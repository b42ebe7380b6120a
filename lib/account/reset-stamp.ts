import { PATIENT } from '../async/retry.ts';
import type { Account } from '../item/account.ts';
import type { Runtime } from '../runtime.ts';
import { readCounters } from '../stats/counters.ts';
import { forEach, type Progress, patiently } from '../table/bulk.ts';
import { endingCodes } from '../table/ending-codes.ts';
import { accountKey } from '../table/keys.ts';
import { allUsernames } from '../table/listing.ts';
import { MAX_BATCH } from '../table/read.ts';
import { update } from '../table/write.ts';
import { MINUTE_MS } from '../time.ts';
import { readAccounts } from './account.ts';

/**
 * Changes the security stamp, which ends all sessions of the account; API tokens stay valid. If the stamp is not the one
 * that was read, those sessions have ended already. The condition also accepts the new stamp, since the SDK may send the
 * write twice.
 */
export const endSessions = ({ table, uuid }: Runtime, { username, stamp }: Account) => {
  const change = {
    UpdateExpression: 'SET stamp = :after',
    ConditionExpression: 'stamp IN (:before, :after)',
    ExpressionAttributeValues: { ':before': stamp, ':after': uuid() },
  };
  return update(table, { Key: accountKey(username), ...change }, PATIENT);
};

/**
 * The remedy of a stolen session: changes the security stamp, and ends the one-time codes that the account has made. It
 * depends on nothing that was read, so a thief who changes the stamp all the time cannot prevent it.
 */
export const resetStamp = (runtime: Runtime, { username }: Account) => {
  const change = {
    UpdateExpression: 'SET stamp = :after',
    ConditionExpression: 'attribute_exists(PK)',
    ExpressionAttributeValues: { ':after': runtime.uuid() },
  };
  return update(runtime.table, { Key: accountKey(username), ...endingCodes(change, runtime) }, PATIENT);
};

/** Time of a stamp, in milliseconds since the epoch, if it is a UUID version 7; 0 for others. */
export const stampedAt = (stamp: string): number =>
  /^[\da-f]{8}-[\da-f]{4}-7/.test(stamp) ? Number.parseInt(stamp.replace('-', '').slice(0, 12), 16) : 0;

/** AWS refuses requests of a clock that differs by more. */
const MAX_SKEW_MS = 5 * MINUTE_MS;

/**
 * Changes all security stamps that are older than a time, and those that no clock can have created yet, which only an intruder
 * writes. That ends all earlier sessions and one-time codes. API tokens stay valid. After an interruption, a call with the
 * same time changes the remaining ones. It reads the whole directory.
 *
 * @param before in milliseconds since the epoch
 * @param tell receives the number of accounts done and the approximate total
 * @param record receives the usernames of changed stamps; its failure ends the work
 * @returns the number of accounts and of changed stamps
 */
export async function resetStamps(
  runtime: Runtime,
  before: number,
  tell: (progress: Progress) => void = () => undefined,
  record: (usernames: readonly string[]) => Promise<void> = async () => undefined,
) {
  const { table } = runtime;
  const { count: total } = await readCounters(table);
  let accounts = 0;
  let reset = 0;
  for await (const usernames of allUsernames(table, MAX_BATCH)) {
    const read: readonly (Account | undefined)[] = await patiently(() => readAccounts(table, usernames));
    const found = read.filter((account) => account !== undefined);
    const latest = stampedAt(runtime.uuid()) + MAX_SKEW_MS;
    const left = found.filter(({ stamp }) => stampedAt(stamp) < before || stampedAt(stamp) > latest);
    const done: string[] = [];
    const resetOne = (account: Account) =>
      patiently(() => resetStamp(runtime, account)).then(() => done.push(account.username));
    await forEach(left, resetOne).finally(() => done.length > 0 && record(done));
    accounts += found.length;
    reset += left.length;
    tell({ done: accounts, total: Math.max(total, accounts) });
  }
  return { accounts, reset };
}
