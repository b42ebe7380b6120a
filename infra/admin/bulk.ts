import type { Command } from 'commander';
import { resetStamps } from '#lib/account/reset-stamp';
import { readCounters } from '#lib/stats/counters';
import { revokeTokens, tokensOf, tokensSince } from '#lib/token/revoke';
import { since, TIME } from './audit.ts';
import { runLong, usage } from './run.ts';
import { find, type Target } from './target.ts';
import { confirm } from './terminal/ask.ts';
import { counted, number, showProgress } from './terminal/progress.ts';

interface Options {
  readonly before?: number;
  readonly all?: true;
  readonly createdSince?: number;
  readonly yes?: true;
}

/** The options of changes of the whole table. */
const ofTable = (command: Command) =>
  command
    .option('--table <name>', 'another table, such as a restored one')
    .option('--yes', 'do not ask for confirmation');

export function resetStampsCommand(account: Command): void {
  ofTable(account.command('reset-stamps'))
    .description('change the security stamps of all accounts; all sessions end')
    .option('--before <time>', `only stamps from before it; default: now; ${TIME}`, since)
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

export function revokeTokensCommand(token: Command): void {
  ofTable(token.command('revoke [username]'))
    .description(
      'delete the tokens of all accounts that were created since a time, or all tokens of one account',
    )
    .option('--created-since <time>', TIME, since)
    .option('--all', 'all tokens of the named account')
    .hook(
      'preAction',
      usage<Options>(({ all = false, createdSince }, { length: names }) =>
        all === (names === 1) && all === (createdSince === undefined)
          ? undefined
          : 'give either --created-since <time>, or --all <username>',
      ),
    )
    .action(runLong(revoke));
}

async function revoke(target: Target, username: string | undefined, { createdSince = 0, yes }: Options) {
  const { runtime, actor } = target;
  const { table } = runtime;
  const owner = username === undefined ? undefined : await find(target, username);
  const tokens = await (owner ? tokensOf(table, owner.username) : tokensSince(table, createdSince));
  const time = new Date(createdSince).toISOString();
  await confirm(
    owner
      ? `Deleting ${counted(tokens.tokens, 'token')} of ${owner.username}. Sessions that began with them go on: "account reset-stamp ${owner.username}" ends those.`
      : `Deleting ${number(tokens.found.length)} of ${counted(tokens.tokens, 'token')} in the table ${table.name}: those created at ${time} or later. Sessions that began with them go on: "account reset-stamps" ends those. To complete an interrupted run, repeat it with --created-since ${time}.`,
    yes,
  );
  const progress = showProgress('tokens');
  const { revoked } = await revokeTokens(runtime, tokens, actor, progress.tell).finally(progress.end);
  const about = owner ? { username: owner.username } : { created_since: time };
  return { ...about, tokens: tokens.tokens, revoked, changed: revoked > 0 };
}
