import { directoryItem } from '#lib/account/directory/item';
import type { Account } from '#lib/item/account';
import { loginRefusals } from '#lib/login/refusals';
import type { Command } from '../command.ts';
import { ACCOUNT } from '../operator-needs.ts';
import { Output, readable } from '../output.ts';
import { find } from './find.ts';

export const show: Command = {
  name: 'account show <username>',
  description: 'show an account, and why its logins are refused at the moment',
  group: 'support',
  needs: [ACCOUNT, 'table:Query:ATTEMPTS'],
  audited: false,
  run: async ({ runtime }, username: string) => {
    const account = await find({ runtime }, username);
    const login_refusals = await loginRefusals(runtime, account);
    return shown(account, runtime.now(), { login_refusals });
  },
};

/** The directory item, which only counts memberships, and their names. */
export function shown(account: Account, now: number, more: object = {}): Output {
  const item = { ...directoryItem(account, now), ...more };
  const { roles, apps, teams } = account;
  const memberships = { roles, apps, teams: teams.map(({ team_short }) => team_short) };
  return new Output({ ...item, memberships }, { text: readable({ ...item, ...memberships }) });
}
