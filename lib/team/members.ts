import { inParallel } from '../async/in-parallel.ts';
import { DIRECTORY, listingRanges, SHARDS } from '../table/keys.ts';
import { pages } from '../table/read.ts';
import type { Table } from '../table/table.ts';

/**
 * Counts the accounts that are members of any of these teams, by their IDs; each account once. It reads the whole directory,
 * so changes of the last second may be missing.
 */
export async function countMembers(table: Table, ids: ReadonlySet<string>): Promise<number> {
  const counts = await inParallel(
    listingRanges(DIRECTORY, undefined),
    async (range) => {
      let members = 0;
      for await (const accounts of pages(table, { ...range, attributes: ['teams'] }))
        members += accounts.filter(({ teams }) => teams.some(({ team_id }) => ids.has(team_id))).length;
      return members;
    },
    SHARDS,
  );
  return counts.reduce((sum, more) => sum + more, 0);
}
