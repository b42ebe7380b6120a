import type { Account } from '../item/account.ts';
import { type AuditItem, type ListedEntry, ROTATOR } from '../item/audit-entry.ts';
import { accountOf } from '../pseudonym/entry.ts';
import { accountKey } from '../table/keys.ts';
import { newRoom, type Page, type PageRequest, readPageOf, type Source } from '../table/listing.ts';
import { getAll } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { foldCase } from '../text/fold-case.ts';
import { trimmed } from '../text/trimmed.ts';

/** Maximum of entries in a page with names: each names up to two accounts. */
export const MAX_NAMED = 500;

/** A text that takes as many bytes as the longest name: two of 128 characters that JSON escapes, and a space. */
const LONGEST = '\u0001'.repeat(257);

/** A page of entries with the names of the accounts that acted and that they are about, each of which is read once. */
export async function namedPage(
  table: Table,
  source: Source<AuditItem>,
  { limit = MAX_NAMED, ...request }: PageRequest,
  view: (item: AuditItem) => ListedEntry | undefined,
): Promise<Page<ListedEntry>> {
  const hasRoom = newRoom();
  const fits = (part: unknown) => hasRoom([part, LONGEST, LONGEST]);
  const { items, ...page } = await readPageOf(
    table,
    source,
    { ...request, limit: Math.min(limit, MAX_NAMED), fits },
    (item) => {
      const entry = view(item);
      return entry && { entry, actor: item.actor, target: accountOf(item) };
    },
  );
  const names = await namesOf(
    table,
    items.flatMap(({ actor, target }) => [actor, target]),
  );
  const nameOf = (username?: string | null) => names.get(foldCase(username ?? '')) ?? null;
  return {
    ...page,
    items: items.map(({ entry, actor, target }) => ({
      ...entry,
      actor_name: nameOf(actor),
      target_name: nameOf(target),
    })),
  };
}

/** Whether a name may be that of an account: those of operators and erased persons have a colon. */
const isUsername = (name: string | null | undefined): name is string =>
  typeof name === 'string' && name !== '' && name !== ROTATOR && !name.includes(':');

/** The names of the people among some usernames in any case, by the folded username; changes of the last second may be missing. */
async function namesOf(
  table: Table,
  usernames: readonly (string | null | undefined)[],
): Promise<ReadonlyMap<string, string>> {
  const distinct = [...new Set(usernames.filter(isUsername).map((name) => foldCase(name)))];
  const accounts = await getAll(table, distinct.map(accountKey), false, [
    'user_first_name',
    'user_last_name',
  ] satisfies (keyof Account)[]);
  return new Map(
    distinct.flatMap((username, index) => {
      const { user_first_name: first = '', user_last_name: last = '' } = accounts[index] ?? {};
      const name = trimmed(`${first} ${last}`);
      return name === '' ? [] : [[username, name]];
    }),
  );
}
