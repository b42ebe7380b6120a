import type { Command } from 'commander';
import { revokeTokens, type Tokens, tokensOf, tokensSince } from '#lib/token/revoke';
import { find } from '../account.ts';
import { since } from '../audit.ts';
import { runLong } from '../run.ts';
import type { Target } from '../target.ts';
import { counted, number } from '../terminal/counted.ts';
import { confirm } from './confirm.ts';
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
    .description('delete the tokens of all accounts that were made at or after a time, or all of one account')
    .option('--created-since <time>', 'ISO 8601, or how long ago: 30m, 24h, 7d', since)
    .option('--all', 'all tokens of the account that is named')
    .option('--table <name>', 'another table than that of the instance, such as a restored one')
    .option('--yes', 'do not ask')
    .action((username: string | undefined, options: Options, command: Command) => {
      const { all, createdSince } = options;
      if (username !== undefined && all && createdSince === undefined)
        return ofAccount(username, options, command);
      if (username === undefined && !all && createdSince !== undefined)
        return sinceThen({ ...options, createdSince }, command);
      return command.error('error: give either --created-since <time>, or --all <username>');
    });
}

const sinceThen = runLong(async (target, { createdSince, yes }: Options & { createdSince: number }) => {
  const { table } = target.runtime;
  const tokens = await tokensSince(table, createdSince);
  const time = new Date(createdSince).toISOString();
  await confirm(
    `Of ${counted(tokens.tokens, 'token')} in the table ${table.name}, ${number(tokens.found.length)} made at ${time} or later will be deleted. Sessions that were logged in with them go on: "account reset-stamps" ends those. Should this be cut off, run it again with --created-since ${time}.`,
    yes,
  );
  const revoked = await revoke(target, tokens);
  return { tokens: tokens.tokens, revoked, created_since: time, changed: revoked > 0 };
});

const ofAccount = runLong(async (target, username: string, { yes }: Options) => {
  const owner = await find(target, username);
  const tokens = await tokensOf(target.runtime.table, owner.username);
  await confirm(
    `${owner.username} has ${counted(tokens.tokens, 'token')}, to be deleted. Sessions that were logged in with them go on: "account reset-stamp ${owner.username}" ends those.`,
    yes,
  );
  const revoked = await revoke(target, tokens);
  return { username: owner.username, tokens: tokens.tokens, revoked, changed: revoked > 0 };
});

async function revoke({ runtime, actor }: Target, tokens: Tokens): Promise<number> {
  const progress = showProgress('tokens');
  const { revoked } = await revokeTokens(runtime, tokens, actor, progress.tell).finally(progress.end);
  return revoked;
}
