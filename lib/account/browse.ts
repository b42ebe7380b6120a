import type { Runtime } from '../runtime.ts';
import { CANCELLATIONS, DIRECTORY, lockoutsEndingAfter } from '../table/keys.ts';
import { listPage, type Page, type PageRequest } from '../table/listing.ts';
import { count, MAX_BATCH } from '../table/read.ts';
import { readCounters } from '../table/stats.ts';
import type { Table } from '../table/table.ts';
import { withOffset } from '../time.ts';
import { readAccounts } from './account.ts';
import { type DirectoryItem, directoryItem } from './directory-item.ts';

interface BrowseRequest extends PageRequest {
  /** Lists accounts that were cancelled then or later; in milliseconds since the epoch. */
  readonly cancelled_since?: number | undefined;
}

/**
 * The directory by lower-cased username, or the cancelled accounts by when they were; with the statistics of the whole
 * directory on every page.
 */
export async function browseAccounts(
  { table, now }: Runtime,
  { cancelled_since: since, ...request }: BrowseRequest,
) {
  const time = now();
  const [page, counters, lockedForATime] = await Promise.all([
    since === undefined
      ? listPage(table, DIRECTORY, request, (account) => directoryItem(account, time))
      : cancelledSince(table, since, request, time),
    readCounters(table, time),
    count(table, lockoutsEndingAfter(withOffset(time))),
  ]);
  return { ...page, stats: { ...counters, locked: counters.locked + lockedForATime } };
}

/** So many directory items, of 4 kB at most, fit one answer. */
const MAX_CANCELLED = 1000;

/** The entries of the cancellations, then their accounts; those that were reactivated in between are left out. */
async function cancelledSince(
  table: Table,
  since: number,
  { limit = MAX_CANCELLED, cursor }: PageRequest,
  time: number,
): Promise<Page<DirectoryItem>> {
  const request = { limit: Math.min(limit, MAX_CANCELLED), cursor, after: new Date(since).toISOString() };
  const { items: entries, ...page } = await listPage(table, CANCELLATIONS, request, (entry) => entry);
  const batches = Array.from({ length: Math.ceil(entries.length / MAX_BATCH) }, (_, n) =>
    entries.slice(n * MAX_BATCH, (n + 1) * MAX_BATCH).map(({ username }) => username),
  );
  const accounts = (await Promise.all(batches.map((names) => readAccounts(table, names)))).flat();
  const items = accounts.flatMap((account, n) =>
    account?.cancelled_at === entries[n]?.cancelled_at && account ? [directoryItem(account, time)] : [],
  );
  return { items, ...page };
}
