import type { Runtime } from '../runtime.ts';
import { LOCKOUTS } from '../table/keys.ts';
import { listPage, type PageRequest } from '../table/listing.ts';
import { count } from '../table/read.ts';
import { readCounters } from '../table/stats.ts';
import { withOffset } from '../time.ts';
import type { Account } from './account.ts';
import { directoryItem } from './directory-item.ts';

/** The directory by lower-cased username, with the statistics of all of it on every page. */
export async function browseAccounts({ table, now }: Runtime, request: PageRequest) {
  const time = now();
  const [page, counters, lockedForATime] = await Promise.all([
    listPage(table, 'ACCOUNTS', request, (item: Account & { GSI1SK: string }) => directoryItem(item, time)),
    readCounters(table, time),
    count(table, { PK: LOCKOUTS, index: 'GSI2', after: withOffset(time) }),
  ]);
  return { ...page, stats: { ...counters, locked: counters.locked + lockedForATime } };
}
