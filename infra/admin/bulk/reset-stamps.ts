import type { Command } from 'commander';
import { resetStamps } from '#lib/account/reset-stamp';
import { readCounters } from '#lib/stats/counters';
import { since, TIME } from '../audit.ts';
import { runLong } from '../run.ts';
import { confirm } from '../terminal/ask.ts';
import { counted } from '../terminal/counted.ts';
import { showProgress } from './progress.ts';

interface Options {
  readonly before?: number;
  readonly yes?: true;
}

/** `admin account reset-stamps` */
export function resetStampsCommand(account: Command): void {
  account
    .command('reset-stamps')
    .description('change the security stamps of all accounts; all sessions end')
    .option('--before <time>', `only stamps from before it; default: now; ${TIME}`, since)
    .option('--table <name>', 'another table, such as a restored one')
    .option('--yes', 'do not ask for confirmation')
    .action(
      runLong(async ({ runtime }, { before = Date.now(), yes }: Options) => {
        const { count } = await readCounters(runtime.table);
        const time = new Date(before).toISOString();
        await confirm(
          `All sessions of ${counted(count, 'account')} in the table ${runtime.table.name} end. Stamps of ${time} or later stay. To complete an interrupted run, repeat it with --before ${time}.`,
          yes,
        );
        const progress = showProgress('accounts');
        const { accounts, reset } = await resetStamps(runtime, before, progress.tell).finally(progress.end);
        return { accounts, reset, before: time, changed: reset > 0 };
      }),
    );
}
