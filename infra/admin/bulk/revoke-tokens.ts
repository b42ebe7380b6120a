import type { Command } from 'commander';
import { revokeTokens, tokensSince } from '#lib/token/revoke';
import { since } from '../audit.ts';
import { runLong } from '../run.ts';
import { confirm } from './confirm.ts';
import { showProgress } from './progress.ts';

interface Options {
  readonly createdSince: number;
  readonly yes?: true;
}

/** `admin token revoke` */
export function revokeTokensCommand(token: Command): void {
  token
    .command('revoke')
    .description('delete the tokens of all accounts that were made at or after a time')
    .requiredOption('--created-since <time>', 'ISO 8601, or how long ago: 30m, 24h, 7d', since)
    .option('--table <name>', 'another table than that of the instance, such as a restored one')
    .option('--yes', 'do not ask')
    .action(
      runLong(async ({ runtime, actor }, { createdSince, yes }: Options) => {
        const { table } = runtime;
        const tokens = await tokensSince(table, createdSince);
        const time = new Date(createdSince).toISOString();
        await confirm(
          `Of the ${tokens.tokens} tokens in the table ${table.name}, the ${tokens.found.length} that were made at ${time} or later are deleted. Sessions that were logged in with them go on: "account reset-stamps" ends those. Should this be cut off, run it again with --created-since ${time}.`,
          yes,
        );
        const progress = showProgress('tokens');
        const { revoked } = await revokeTokens(runtime, tokens, actor, progress.tell).finally(progress.end);
        return { tokens: tokens.tokens, revoked, created_since: time, changed: revoked > 0 };
      }),
    );
}
