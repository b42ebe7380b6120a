import type { Command } from 'commander';
import * as z from 'zod/mini';
import { parse } from '#lib/parse';
import { createToken } from '#lib/token/create';
import { deleteToken } from '#lib/token/delete';
import { tokenName } from '#lib/token/record';
import { find } from './account.ts';
import { revokeTokensCommand } from './bulk/revoke-tokens.ts';
import { run } from './run.ts';

/** `admin token ...` */
export function tokenCommands(program: Command): void {
  const token = program.command('token').description('API tokens');

  token
    .command('create <name> <username>')
    .description('create a token; its secret is printed this once')
    .action(
      run(async (target, name: string, username: string) => {
        const owner = await find(target, username);
        const { token_name } = parse(z.object({ token_name: tokenName() }), { token_name: name });
        return createToken(target.runtime, owner, token_name, { ...target.actor, by: owner.username });
      }),
    );

  token
    .command('delete <name> <username>')
    .description('delete a token; it is refused from the next request on')
    .action(
      run(async (target, name: string, username: string) =>
        deleteToken(target.runtime, await find(target, username), name, target.actor),
      ),
    );

  revokeTokensCommand(token);
}
