import { resetStamps as resetAll, resetStamp as resetOne } from '#lib/account/reset-stamp';
import { readCounters } from '#lib/stats/counters';
import type { Command } from '../command.ts';
import { ACCOUNT, ACCOUNTS, RESET } from '../operator-needs.ts';
import { BULK, option } from '../options.ts';
import { confirm } from '../terminal/ask.ts';
import { counted, showProgress } from '../terminal/progress.ts';
import { since, TIME } from '../times.ts';
import { updating } from './on-account.ts';

interface Options {
  readonly before?: number;
  readonly yes?: true;
}

export const resetStamp: Command = {
  name: 'account reset-stamp <username>',
  description: 'change the security stamp; all sessions, and one-time codes of and by the account, end',
  group: 'support',
  inputs: {},
  needs: [ACCOUNT, RESET],
  audited: true,
  run: updating(({ runtime }, it) => resetOne(runtime, it).then(() => it)),
};

export const resetStamps: Command = {
  name: 'account reset-stamps',
  description: 'change the security stamps of all accounts; all sessions and one-time codes end',
  options: [
    ...BULK,
    option(
      '--before <time>',
      `only accounts whose stamp is from before this time; default: now; ${TIME}`,
      since,
    ),
  ],
  group: 'support',
  inputs: {},
  needs: [ACCOUNTS, 'table:Query:STATS', RESET],
  audited: true,
  run: async ({ runtime, record }, { before = Date.now(), yes }: Options) => {
    const { count } = await readCounters(runtime.table);
    const time = new Date(before).toISOString();
    await confirm(
      `All sessions of ${counted(count, 'account')} in the table ${runtime.table.name} end. Stamps of ${time} or later stay. To complete an interrupted run, repeat it with --before ${time}.`,
      yes,
    );
    const progress = showProgress('accounts');
    const { accounts, reset } = await resetAll(runtime, before, progress.tell, (usernames) =>
      record(usernames.map((target) => ({ target }))),
    ).finally(progress.end);
    return { accounts, reset, before: time, changed: reset > 0 };
  },
};
