import { directoryItem } from '#lib/account/directory/item';
import type { Account } from '#lib/item/account';
import { loginRefusals } from '#lib/login/refusals';
import type { Runtime } from '#lib/runtime';
import type { Command } from '../command.ts';
import { Output, readable } from '../output.ts';
import { CREDENTIALS, withCredentials } from './credentials.ts';
import { find } from './find.ts';

export const show: Command = {
  name: 'account show <username>',
  description:
    'show an account, its passkeys, tokens and open code in short, and why its logins are refused at the moment',
  group: 'support',
  inputs: { table: 'the answer is wrong' },
  needs: [CREDENTIALS, 'table:Query:ATTEMPTS'],
  audited: false,
  run: async (target, username: string) => {
    const { runtime } = target;
    const account = await find(target, username);
    const login_refusals = await loginRefusals(runtime, account);
    return withCredentials(target, username, shown(account, runtime, { login_refusals }));
  },
};

/** The directory item, which only counts memberships, and their names. */
export function shown(
  account: Account,
  { now, settings }: Pick<Runtime, 'now' | 'settings'>,
  more: object = {},
): Output {
  const item = { ...directoryItem(account, now(), settings), ...more };
  const { roles, apps, teams } = account;
  const memberships = { roles, apps, teams: teams.map(({ team_short }) => team_short) };
  return new Output({ ...item, memberships }, { text: readable({ ...item, ...memberships }) });
}
