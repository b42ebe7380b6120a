import { entryReader, limitsOf } from '../audit/browse.ts';
import { isRefusal } from '../audit/fold.ts';
import type { AuditItem, ListedEntry } from '../item/audit-entry.ts';
import type { Runtime } from '../runtime.ts';
import * as keys from '../table/keys.ts';
import { MAX_EXAMINED, type Room, readPageOf } from '../table/listing.ts';
import { merge, whole } from '../table/merge.ts';
import { getAll, readPage, type Start } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { foldCase } from '../text/fold-case.ts';

/** Refusals of others that an export has at most. */
export const MAX_ATTEMPTS = 1000;

type Reading = Pick<Runtime, 'table' | 'now' | 'settings'>;
type Item = AuditItem | (keys.Key<AuditItem> & { readonly isGone: true });

/**
 * What a person did and what was done to the person, newest first, as much as an answer has room for.
 *
 * @param cursor `next_cursor` of the part before
 * @returns the entries, and refusals of others that an earlier version stored among them
 */
export async function entriesOf(
  { table, now, settings }: Reading,
  username: string,
  cursor: string | undefined,
  fits: Room | undefined,
) {
  const { oldest, newest } = limitsOf(now(), settings.AuditDays);
  const from = (before: string | undefined) => {
    const bounds = { after: oldest, before: before || newest };
    const ranges = [keys.actsOf(username, bounds), keys.auditRangeOf(username, bounds)];
    return merge(table, ranges as readonly keys.Range<Item>[], { share: whole, read: readEntries });
  };
  const refused: ListedEntry[] = [];
  const view = viewFor(username);
  const { items, next_cursor } = await readPageOf(
    table,
    { name: 'EXPORT', from, positionOf: keys.beforeEntry },
    { cursor, boundTo: foldCase(username), examine: MAX_EXAMINED, fits },
    (item: Item) => {
      const entry = 'isGone' in item ? undefined : view(item);
      if (!entry || !isAttempt(entry, username)) return entry;
      if (refused.length < MAX_ATTEMPTS) refused.push(entry);
      return undefined;
    },
  );
  return { items, next_cursor, refused };
}

/** Refusals of others that name a person, the latest first. */
export async function attemptsOn({ table, now, settings }: Reading, username: string) {
  const { oldest, newest } = limitsOf(now(), settings.AuditDays);
  const range = keys.auditRangeOf(username, { after: oldest, before: newest }, 'REFUSALS');
  const { items } = await readPage(table, range, MAX_ATTEMPTS);
  return items.flatMap((item) => viewFor(username)(item) ?? []);
}

/** Whether an entry is the refusal of somebody else. */
const isAttempt = ({ actor, outcome }: ListedEntry, username: string) =>
  isRefusal(outcome) && actor !== foldCase(username);

/** Reads a page of a range, with the entry in place of an act. */
async function readEntries(table: Table, range: keys.Range<Item>, limit?: number, start?: Start) {
  const { items, next } = await readPage(table, range, limit, start);
  if (range.index !== undefined) return { items, next };
  const acts = items as unknown as Parameters<typeof keys.entryKeyOf>[0][];
  const wanted = acts.map(keys.entryKeyOf);
  const found = await getAll(table, wanted, false);
  return { items: wanted.map((key, n): Item => found[n] ?? { ...key, isGone: true }), next };
}

/** Entries as a person may see them: of others without address, token and session. */
function viewFor(username: string) {
  const entryOf = entryReader();
  return (item: AuditItem): ListedEntry | undefined => {
    const entry = entryOf(item);
    if (!entry || entry.actor === foldCase(username)) return entry;
    const { sources: _, ...others } = entry;
    const details =
      entry.details && 'session' in entry.details ? { ...entry.details, session: null } : entry.details;
    return { ...others, details, source: null, credential: null };
  };
}
