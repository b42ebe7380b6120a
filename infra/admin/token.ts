import type { Command } from 'commander';
import { parse } from '#lib/parse';
import { create, rotate } from '#lib/token/contracts';
import { createToken } from '#lib/token/create';
import { deleteToken } from '#lib/token/delete';
import { MAX_OVERLAP } from '#lib/token/limits';
import { listTokens } from '#lib/token/list';
import type { CreatedToken, TokenRecord } from '#lib/token/record';
import { rotateToken } from '#lib/token/rotate';
import { termsOf } from '#lib/token/terms';
import { revokeTokensCommand } from './bulk.ts';
import { collect } from './membership-options.ts';
import { Answer, listed, readable, reading, run } from './run.ts';
import { find } from './target.ts';

export function tokenCommands(program: Command): void {
  const token = program.command('token').description('API tokens');

  token
    .command('create <name> <username>')
    .description('create a token and print its secret, once, alone on standard output')
    .option('--expires-in-days <days>', 'days until the token expires; by default it has no end', Number)
    .option('--description <text>', 'purpose of the token')
    .option('--read-only', 'permit GET requests only')
    .option('--role <name>', 'limit the token to this role of the account; repeatable', collect)
    .option('--address <block>', 'limit the token to this address or CIDR block; repeatable', collect)
    .action(
      run(async (target, name: string, username: string, options: Readonly<Record<string, unknown>>) => {
        const { expiresInDays: expires_in_days, description, role: roles, address: addresses } = options;
        const access = options['readOnly'] && 'read';
        const owner = await find(target, username);
        const { token_name } = parse(create.params(), { token_name: name, username });
        const asked = parse(create.body(), { expires_in_days, description, access, roles, addresses });
        const terms = termsOf(target.runtime, owner, asked);
        return secretOf(await createToken(target.runtime, owner, token_name, target.actor, terms));
      }),
    );

  token
    .command('rotate <name> <username>')
    .description('replace the secret of a token and print the new one, once, alone on standard output')
    .option('--overlap-minutes <n>', `how long the former secret stays valid, 0 to ${MAX_OVERLAP}`, Number, 0)
    .action(
      run(async (target, name: string, username: string, options: { overlapMinutes: number }) => {
        const owner = await find(target, username);
        const { overlap_minutes = 0 } = parse(rotate.body(), { overlap_minutes: options.overlapMinutes });
        return secretOf(await rotateToken(target.runtime, owner, name, target.actor, overlap_minutes));
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
        const { items } = await listTokens(target.runtime, await find(target, username));
        return listed(items, items.map(lineOf));
      }),
    );

  revokeTokensCommand(token);
}

const lineOf = (it: TokenRecord) => {
  const use = it.token_used_at === it.token_created_at ? 'never used' : `last used ${it.token_used_at}Z`;
  const end = it.token_expires_at ? `, ends ${it.token_expires_at}Z` : '';
  return `${it.name}  created ${it.token_created_at}Z by ${it.token_created_by}, ${use}${end}`;
};

/** The record of a token, whose secret alone goes to standard output. */
function secretOf(record: CreatedToken): Answer {
  const { value, ...details } = record;
  return new Answer(record, { text: readable(details), output: value });
}
