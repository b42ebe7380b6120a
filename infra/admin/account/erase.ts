import { readAccount } from '#lib/account/account';
import { isUsername } from '#lib/account/identifiers';
import { checkErasable, eraseAccount } from '#lib/erasure/erase';
import { contract } from '#lib/erasure/erase.contract';
import { Failure } from '#lib/failure/failure';
import { isErasedId } from '#lib/pseudonym/erased';
import type { Command } from '../command.ts';
import { ACCOUNT, of } from '../operator-needs.ts';
import { option } from '../options.ts';
import type { Recorded } from '../recording.ts';
import { confirm } from '../terminal/ask.ts';

interface Options {
  readonly yes?: true;
  readonly force?: true;
}

export const erase: Command = {
  name: 'account erase <username>',
  description: 'erase a cancelled account for good; afterwards its ID or its username shows the progress',
  options: [
    option('--yes', 'do not prompt for confirmation'),
    option('--force', 'do not wait for the days of Settings:ErasureAfterDays'),
  ],
  group: 'administrator',
  inputs: {
    table: 'an account that somebody has cancelled is erased after its days, or at once with `--force`',
  },
  needs: [ACCOUNT, of(contract)],
  audited: true,
  run: async ({ runtime, actor, note }: Recorded, username: string, { yes, force }: Options) => {
    if (!isUsername(username)) throw new Failure('account_not_found');
    const it = (await isErasedId(runtime.table, username))
      ? undefined
      : await readAccount(runtime.table, username);
    if (it) {
      checkErasable(it, runtime, { days: force });
      await confirm(
        `Erasing ${it.username} removes the account and everything about the person, and lets subscribers of user_erase forget it. Nothing undoes this.`,
        yes,
      );
    }
    const erased = await eraseAccount(runtime, username, it, actor, { days: force });
    const { userid, erased_at } = erased;
    note({ userid, erased_at, ...(force && { forced: 'days' }) });
    return erased;
  },
};
