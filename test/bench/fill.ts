import { accountOf, draftOf } from '#lib/account/create';
import type { Runtime } from '#lib/runtime';
import { putAll } from '#lib/table/bulk';
import { accountKey, directoryIndex } from '#lib/table/keys';
import { membershipsIn } from '#lib/team/team';

/**
 * Writes accounts whose names are spread over the whole directory.
 *
 * @param timeOf when an account was created and last used, by its number; now by default
 * @param teams short names of the teams of each
 */
export async function fillDirectory(
  runtime: Runtime,
  accounts: number,
  timeOf: (n: number) => number = Date.now,
  teams: readonly string[] = [],
): Promise<void> {
  const memberships = await membershipsIn(runtime.table, teams);
  const item = (_: unknown, n: number) => {
    const draft = draftOf({
      username: `${(n * 7919) % 100_003}.filler.${n}`,
      roles: ['editor'],
      user_first_name: ['Ada', 'Grace', 'Jürgen', 'Margaret'][n % 4],
      user_last_name: ['Lovelace', 'Hopper', 'Größwang', 'Hamilton', 'O’Neill'][n % 5],
      phonenumber: `+43 1 ${String(n).padStart(7, '0')}`,
    });
    const account = { ...accountOf(runtime, draft, memberships, timeOf(n)), never_used: false };
    return { ...accountKey(account.username), ...directoryIndex(account.username), ...account };
  };
  await putAll(runtime.table, Array.from({ length: accounts }, item));
}
