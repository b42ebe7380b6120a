import { accountsPage } from '#lib/account/directory/browse';
import { type DirectoryFilter, STATES } from '#lib/account/directory/filter';
import type { DirectoryItem } from '#lib/account/directory/item';
import { rowOf } from '#lib/account/file/row';
import { KINDS } from '#lib/account/kinds';
import { trimmed } from '#lib/text/trimmed';
import { allPages } from '../all-pages.ts';
import type { Command } from '../command.ts';
import { ACCOUNTS } from '../operator-needs.ts';
import { option } from '../options.ts';
import { listed } from '../output.ts';
import { since, TIME } from '../times.ts';

interface Options extends Pick<DirectoryFilter, 'q' | 'state' | 'role' | 'team' | 'app' | 'kind' | 'owner'> {
  readonly ownerGone?: true;
  readonly inactiveSince?: number;
  readonly neverUsed?: true;
  readonly counterFell?: true;
  readonly cancelledSince?: number;
}

export const list: Command = {
  name: 'account list',
  description: 'list the accounts that meet every option, with the time of their last activity or creation',
  options: [
    option('--q <text>', 'words, each a part of the username, the first or the last name', trimmed),
    option('--state <state>', 'state; locked accounts are also active or cancelled').choices(STATES),
    option('--role <role>', 'accounts with this role'),
    option('--team <short>', 'accounts in this team'),
    option('--app <app>', 'accounts with this application'),
    option('--inactive-since <time>', `accounts without activity since this time: ${TIME}`, since),
    option('--never-used', 'only accounts that were never used'),
    option('--counter-fell', 'only accounts with a passkey whose signature counter fell back'),
    option('--kind <kind>', 'only persons or only machines').choices(KINDS),
    option('--owner <username>', 'only machines that this person answers for', trimmed),
    option('--owner-gone', 'only machines whose owner is cancelled, erased or a machine'),
    option('--cancelled-since <time>', `accounts cancelled since this time, in that order: ${TIME}`, since),
  ],
  faultOf: ({ kind, owner, ownerGone }: Options) =>
    kind === 'person' && (owner ?? ownerGone) ? 'only machines have an owner' : undefined,
  group: 'support',
  inputs: { table: 'a list is wrong' },
  needs: [ACCOUNTS, 'table:Query:CANCELLED', 'table:GetItem:CURSORS', 'table:PutItem:CURSORS'],
  audited: false,
  run: async ({ runtime }, options: Options) => {
    const {
      inactiveSince: inactive_since,
      neverUsed: never_used,
      counterFell,
      cancelledSince,
      ownerGone: owner_gone,
      ...others
    } = options;
    const own = {
      inactive_since,
      never_used,
      counter_fell: counterFell,
      cancelled_since: cancelledSince,
      owner_gone,
    };
    const filter = { ...others, ...own };
    const items = await allPages((cursor) => accountsPage(runtime, { ...filter, names: true, cursor }));
    const lines = items.map(cancelledSince === undefined ? lineOf : cancelledLineOf);
    return listed(items, lines, items.map(rowOf));
  },
};

const lineOf = ({ username, isactive, islocked, lastActivity, owner }: DirectoryItem) =>
  `${lastActivity}Z  ${username}${isactive ? '' : '  cancelled'}${islocked ? '  locked' : ''}${owner ? `  machine of ${owner}` : ''}`;

const cancelledLineOf = ({ username, cancelled_at, cancelled_by }: DirectoryItem) =>
  `${cancelled_at}  ${username}  ${cancelled_by}`;
