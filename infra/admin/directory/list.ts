import { type Command, Option } from 'commander';
import { accountsPage } from '#lib/account/directory/browse';
import type { DirectoryFilter } from '#lib/account/directory/filter';
import type { DirectoryItem } from '#lib/account/directory/item';
import { since } from '../audit.ts';
import { Listed, reading } from '../run.ts';

/** As the options have it; the names are those of the parameters of the endpoint. */
interface ListOptions extends Pick<DirectoryFilter, 'q' | 'state' | 'role' | 'team' | 'app'> {
  readonly inactiveSince?: number;
  readonly neverUsed?: true;
  readonly cancelledSince?: number;
}

const TIME = 'ISO 8601, or how long ago: 30m, 24h, 7d';

/** `admin account list`: the directory, or what of it meets all of the options. */
export function listCommand(account: Command): void {
  account
    .command('list')
    .description('list accounts: all, or those that meet every option')
    .option('--q <start>', 'how the username, the first or the last name begins')
    .addOption(
      new Option('--state <state>', 'locked ones are active or cancelled as well').choices([
        'active',
        'cancelled',
        'locked',
      ]),
    )
    .option('--role <role>', 'that have this role')
    .option('--team <short>', 'that are in this team')
    .option('--app <app>', 'that have this application')
    .option('--inactive-since <time>', `not active since then: ${TIME}`, since)
    .option('--never-used', 'that nobody has used')
    .option('--cancelled-since <time>', `cancelled then or later, by when they were: ${TIME}`, since)
    .action(
      reading(async ({ runtime }, options: ListOptions) => {
        const { inactiveSince, neverUsed, cancelledSince, q, state, role, team, app } = options;
        const filter = { q, state, role, team, app, inactive_since: inactiveSince, never_used: neverUsed };
        const items: DirectoryItem[] = [];
        let cursor: string | undefined;
        do {
          const page = await accountsPage(runtime, { ...filter, cancelled_since: cancelledSince, cursor });
          items.push(...page.items);
          cursor = page.next_cursor;
        } while (cursor);
        return new Listed(items, items.map(cancelledSince === undefined ? lineOf : cancelledLineOf));
      }),
    );
}

const lineOf = ({ username, isactive, islocked, lastActivity }: DirectoryItem) =>
  `${lastActivity}Z  ${username}${isactive ? '' : '  cancelled'}${islocked ? '  locked' : ''}`;

const cancelledLineOf = ({ username, cancelled_at, cancelled_by }: DirectoryItem) =>
  `${cancelled_at}  ${username}  ${cancelled_by}`;
