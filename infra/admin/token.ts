import type { Command } from 'commander';
import * as z from 'zod/mini';
import { parse } from '#lib/parse';
import { createToken } from '#lib/token/create';
import { deleteToken } from '#lib/token/delete';
import { listTokens } from '#lib/token/list';
import { tokenName } from '#lib/token/record';
import { revokeTokensCommand } from './bulk.ts';
import { Answer, listed, readable, reading, run } from './run.ts';
import { find } from './target.ts';

export function tokenCommands(program: Command): void {
  const token = program.command('token').description('API tokens');

  token
    .command('create <name> <username>')
    .description('create a token and print its secret, once, alone on standard output')
    .action(
      run(async (target, name: string, username: string) => {
        const owner = await find(target, username);
        const { token_name } = parse(z.object({ token_name: tokenName() }), { token_name: name });
        const record = await createToken(target.runtime, owner, token_name, target.actor);
        const { value, ...details } = record;
        return new Answer(record, { text: readable(details), secret: value as string });
      }),
    );

  token
    .command('delete <name> <username>')
    .description('delete a token; the next request with it is refused')
    .action(
      run(async (target, name: string, username: string) =>
        deleteToken(target.runtime, await find(target, username), name, target.actor),
      ),
    );

  token
    .command('list <username>')
    .description('list the tokens of an account by name, without their secrets')
    .action(
      reading(async (target, username: string) => {
        const { items } = await listTokens(target.runtime.table, (await find(target, username)).username);
        return listed(
          items,
          items.map(
            (it) =>
              `${it.name}  made ${it.token_created_at}Z by ${it.token_created_by}, last used ${it.token_used_at}Z`,
          ),
        );
      }),
    );

  revokeTokensCommand(token);
}
