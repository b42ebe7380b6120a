import type { Command } from 'commander';
import { resetStamps } from '#lib/account/reset-stamp';
import { tokenSubject } from '#lib/item/audit-entry';
import { readCounters } from '#lib/stats/counters';
import { revokeTokens, tokensOf, tokensSince } from '#lib/token/revoke';
import { since, TIME } from './audit.ts';
import type { Recorded } from './recording.ts';
import { run, usage } from './run.ts';
import { find } from './target.ts';
import { confirm } from './terminal/ask.ts';
import { counted, number, showProgress } from './terminal/progress.ts';

interface Options {
  readonly before?: number;
  readonly all?: true;
  readonly createdSince?: number;
  readonly createdBy?: string;
  readonly yes?: true;
}

const ofTable = (command: Command) =>
  command
    .option('--table <name>', 'another table, such as a restored one')
    .option('--yes', 'do not prompt for confirmation');

export function resetStampsCommand(account: Command): void {
  ofTable(account.command('reset-stamps'))
    .description('change the security stamps of all accounts; all sessions end')
    .option(
      '--before <time>',
      `only accounts whose stamp is from before this time; default: now; ${TIME}`,
      since,
    )
    .action(
      run(async ({ runtime, record }, { before = Date.now(), yes }: Options) => {
        const { count } = await readCounters(runtime.table);
        const time = new Date(before).toISOString();
        await confirm(
          `All sessions of ${counted(count, 'account')} in the table ${runtime.table.name} end. Stamps of ${time} or later stay. To complete an interrupted run, repeat it with --before ${time}.`,
          yes,
        );
        const progress = showProgress('accounts');
        const { accounts, reset } = await resetStamps(runtime, before, progress.tell, (usernames) =>
          record(usernames.map((target) => ({ target }))),
        ).finally(progress.end);
        return { accounts, reset, before: time, changed: reset > 0 };
      }),
    );
}

export function revokeTokensCommand(token: Command): void {
  ofTable(token.command('revoke [username]'))
    .description(
      'delete the tokens of all accounts that were created since a time or by an account, or all tokens of one account',
    )
    .option('--created-since <time>', `only tokens created at this time or later: ${TIME}`, since)
    .option('--created-by <name>', 'an account or operator, as in token list')
    .option('--all', 'all tokens of the named account')
    .hook(
      'preAction',
      usage<Options>(({ all = false, createdSince, createdBy }, { length: names }) =>
        all === (names === 1) && all === (createdSince === undefined && createdBy === undefined)
          ? undefined
          : 'give --created-since <time>, --created-by <name> or both; or --all <username>',
      ),
    )
    .action(run(revoke));
}

async function revoke(target: Recorded, username: string | undefined, options: Options) {
  const { createdSince = 0, createdBy, yes } = options;
  const { runtime, actor, record } = target;
  const { table } = runtime;
  const owner = username === undefined ? undefined : await find(target, username);
  const tokens = await (owner ? tokensOf(runtime, owner) : tokensSince(runtime, createdSince, createdBy));
  const time = new Date(createdSince).toISOString();
  const by = createdBy ? ` --created-by ${createdBy}` : '';
  await confirm(
    owner
      ? `Deleting ${counted(tokens.tokens, 'token')} of ${owner.username}. Sessions that began with them end, too. To complete an interrupted run, repeat it.`
      : `Deleting ${number(tokens.found.length)} of ${counted(tokens.tokens, 'token')} in the table ${table.name}: those created at ${time} or later${by && ` by ${createdBy}`}. Sessions that began with them end, too. To complete an interrupted run, repeat it with --created-since ${time}${by}.`,
    yes,
  );
  const progress = showProgress('tokens');
  const { revoked } = await revokeTokens(runtime, tokens, actor, async ({ name, username }, done) => {
    await record([tokenSubject(name, username)]);
    progress.tell(done);
  }).finally(progress.end);
  const since = { created_since: time, ...(by && { created_by: createdBy }) };
  const about = owner ? { username: owner.username } : since;
  return { ...about, tokens: tokens.tokens, revoked, changed: revoked > 0 };
}
