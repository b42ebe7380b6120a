import type { Query } from '../../contract/contract.ts';
import type { Account } from '../../item/account.ts';
import type { Runtime } from '../../runtime.ts';
import { readStatistics, recentStatistics } from '../../stats/statistics.ts';
import { CANCELLATIONS, DIRECTORY } from '../../table/keys.ts';
import {
  cursorAfter,
  filterText,
  listPage,
  MAX_EXAMINED,
  newRoom,
  type Page,
  type PageRequest,
} from '../../table/listing.ts';
import type { Table } from '../../table/table.ts';
import { readAccount, readAccounts } from '../account.ts';
import { ownedBy } from '../machine.ts';
import type { contract as browse } from './browse.contract.ts';
import { matcher } from './filter.ts';
import { type DirectoryItem, directoryItem, type NamedItem, namedItem } from './item.ts';

type BrowseRequest = Query<typeof browse>;

/** A page of {@link accountsPage} with the statistics of the whole directory. */
export async function browseAccounts(runtime: Runtime, request: BrowseRequest, maxExamined?: number) {
  const { table, now } = runtime;
  const isFirst = request.cursor === undefined && request.username === undefined;
  const statistics = isFirst ? readStatistics : recentStatistics;
  const [page, stats] = await Promise.all([
    accountsPage(runtime, request, maxExamined),
    statistics(table, now()),
  ]);
  return { ...page, stats };
}

/** With `names`, an item has the names of its memberships. */
type Item = DirectoryItem & Partial<NamedItem>;

/**
 * A page of the accounts that match the filter: of all accounts by lower-cased username, or of the cancelled ones by
 * time of cancellation. The account of a `username` is one strongly consistent read. A filtered page may have fewer than
 * `limit` items, or none: only a page without `next_cursor` is the last.
 */
export async function accountsPage(
  { table, now, settings }: Runtime,
  { cancelled_since: since, username, limit, cursor, names, owner_gone: gone, ...given }: BrowseRequest,
  maxExamined = MAX_EXAMINED,
): Promise<Page<Item>> {
  const time = now();
  const itemOf = (account: Account): Item => (names ? namedItem : directoryItem)(account, time, settings);
  if (username !== undefined) {
    const account = await readAccount(table, username);
    return { items: account ? [itemOf(account)] : [] };
  }
  const filter = gone === undefined ? given : { ...given, kind: 'machine' as const };
  const matches = matcher(filter, time);
  const boundTo = filterText({ ...filter, cancelled_since: since, owner_gone: gone });
  const request = { limit, cursor, boundTo, examine: matches && maxExamined };
  const most = names ? MAX_CANCELLED_NAMED : MAX_CANCELLED;
  const view = (account: Account) =>
    matches === undefined || matches(account) ? itemOf(account) : undefined;
  const page = await (since === undefined
    ? listPage(table, DIRECTORY, request, view)
    : cancelledSince(table, since, { ...request, limit: Math.min(limit ?? most, most) }, view));
  return gone === undefined
    ? page
    : { ...page, items: await ownedBy(table, page.items, gone ? 'nobody' : 'somebody') };
}

/** Accounts that a page of cancellations reads at most, and with their names, of which fewer fit an answer. */
export const MAX_CANCELLED = 1000;
const MAX_CANCELLED_NAMED = 200;

/**
 * Reads the entries of cancellations, then their accounts, except those that were reactivated in between. The page ends
 * where the answer is full.
 */
async function cancelledSince(
  table: Table,
  since: number,
  { limit, cursor, boundTo }: PageRequest,
  view: (account: Account) => Item | undefined,
): Promise<Page<Item>> {
  const after = new Date(since).toISOString();
  const request = { limit, cursor, after, boundTo };
  const { items: entries, ...page } = await listPage(table, CANCELLATIONS, request, (entry) => entry);
  const names = entries.map(({ username, cancelled_username }) => (cancelled_username ?? username) as string);
  const accounts = await readAccounts(table, names);
  const hasRoom = newRoom();
  const items: Item[] = [];
  for (const [n, account] of accounts.entries()) {
    const isCurrent = account && account.cancelled_at === entries[n]?.cancelled_at;
    const item = isCurrent ? view(account) : undefined;
    const last = entries[n - 1];
    if (item && !hasRoom(item) && last)
      return { items, next_cursor: await cursorAfter(table, CANCELLATIONS, last, { boundTo }) };
    if (item) items.push(item);
  }
  return { items, ...page };
}
