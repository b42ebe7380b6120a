import { listTokens } from '#lib/token/list';
import type { TokenRecord } from '#lib/token/record';
import { find } from '../account/find.ts';
import type { Command } from '../command.ts';
import { ACCOUNT, LISTED_TOKENS } from '../operator-needs.ts';
import { listed } from '../output.ts';

export const list: Command = {
  name: 'token list <username>',
  description: 'list the tokens of an account by name, without their secrets',
  group: 'support',
  inputs: { table: 'the list is wrong' },
  needs: [ACCOUNT, LISTED_TOKENS],
  audited: false,
  run: async (target, username: string) => {
    const { items } = await listTokens(target.runtime, await find(target, username));
    return listed(items, items.map(lineOf));
  },
};

const lineOf = (it: TokenRecord) => {
  const use = it.token_used_at === it.token_created_at ? 'never used' : `last used ${it.token_used_at}Z`;
  const end = it.token_expires_at ? `, ends ${it.token_expires_at}Z` : '';
  return `${it.name}  created ${it.token_created_at}Z by ${it.token_created_by}, ${use}${end}`;
};
