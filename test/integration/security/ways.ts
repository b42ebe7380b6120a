import { accountKey, tokenNames } from '#lib/table/keys';
import { query, get as read } from '#lib/table/read';
import { target, type User } from '../service.ts';

export const PING = '/api/core/system/ping';

/** All stored attributes of accounts, except those of their last activity. */
export async function stateOf(...users: readonly User[]) {
  const { table } = (await target()).runtime;
  const state = users.map(async ({ username }) => {
    const {
      lastActivity: _,
      never_used: _used,
      ...account
    } = (await read(table, accountKey(username))) as User['account'];
    return { account, tokens: await query(table, tokenNames(username)) };
  });
  return Promise.all(state);
}
