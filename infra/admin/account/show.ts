import { directoryItem } from '#lib/account/directory/item';
import { openCodeOf } from '#lib/account/open-code';
import type { Account } from '#lib/item/account';
import { loginRefusals } from '#lib/login/refusals';
import type { Runtime } from '#lib/runtime';
import type { Command } from '../command.ts';
import { ACCOUNT } from '../operator-needs.ts';
import { Output, readable } from '../output.ts';
import { find } from './find.ts';

export const show: Command = {
  name: 'account show <username>',
  description: 'show an account, its open one-time code, and why its logins are refused at the moment',
  group: 'support',
  inputs: { table: 'the answer is wrong' },
  needs: [ACCOUNT, 'table:Query:ATTEMPTS', 'table:GetItem:CODE'],
  audited: false,
  run: async ({ runtime }, username: string) => {
    const account = await find({ runtime }, username);
    const [login_refusals, code] = await Promise.all([
      loginRefusals(runtime, account),
      openCodeOf(runtime, account),
    ]);
    return shown(account, runtime, { login_refusals, ...code });
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
