import type { Command } from 'commander';
import { revokeTokens, tokensOf, tokensSince } from '#lib/token/revoke';
import { find } from '../account.ts';
import { since, TIME } from '../audit.ts';
import { runLong, usage } from '../run.ts';
import type { Target } from '../target.ts';
import { confirm } from '../terminal/ask.ts';
import { counted, number } from '../terminal/counted.ts';
import { showProgress } from './progress.ts';

interface Options {
  readonly all?: true;
  readonly createdSince?: number;
  readonly yes?: true;
}

/** `admin token revoke` */
export function revokeTokensCommand(token: Command): void {
  token
    .command('revoke [username]')
    .description(
      'delete the tokens of all accounts that were created since a time, or all tokens of one account',
    )
    .option('--created-since <time>', TIME, since)
    .option('--all', 'all tokens of the named account')
    .option('--table <name>', 'another table, such as a restored one')
    .option('--yes', 'do not ask for confirmation')
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
