import type { Runtime } from '../runtime.ts';
import { DIRECTORY, lockoutsEndingAfter } from '../table/keys.ts';
import { listPage, type PageRequest } from '../table/listing.ts';
import { count } from '../table/read.ts';
import { readCounters } from '../table/stats.ts';
import { withOffset } from '../time.ts';
import { directoryItem } from './directory-item.ts';

/** The directory by lower-cased username, with the statistics of all of it on every page. */
export async function browseAccounts({ table, now }: Runtime, request: PageRequest) {
  const time = now();
  const [page, counters, lockedForATime] = await Promise.all([
    listPage(table, DIRECTORY, request, (account) => directoryItem(account, time)),
    readCounters(table, time),
    count(table, lockoutsEndingAfter(withOffset(time))),
  ]);
  return { ...page, stats: { ...counters, locked: counters.locked + lockedForATime } };
}
