import { contract } from '#lib/account/code.contract';
import { createCode } from '#lib/account/create-code';
import { CODE_HOURS, MAX_CODE_HOURS } from '#lib/account/maxima';
import { notePasswords } from '#lib/account/note-passwords';
import { parse } from '#lib/input/parse';
import { surveyCosts } from '#lib/password/cost';
import { setPassword } from '#lib/password/set-password';
import type { Command } from '../command.ts';
import { ACCOUNT, PASSWORD } from '../operator-needs.ts';
import { option } from '../options.ts';
import { Output, readable } from '../output.ts';
import { canRead, type PasswordOptions, passwordOf } from '../terminal/ask.ts';
import { CREDENTIALS, withCredentials } from './credentials.ts';
import { onAccount } from './on-account.ts';
import { shown } from './show.ts';

export const password: Command = {
  name: 'account password <username>',
  description: 'prompt for a new password and set it; all sessions end, passkeys and tokens stay valid',
  options: [option('--password-stdin', 'read the password from standard input')],
  faultOf: canRead,
  group: 'administrator',
  inputs: { table: 'the list of credentials lacks one' },
  needs: [
    CREDENTIALS,
    'transaction:UpdateItem:ACCOUNT:password',
    PASSWORD,
    'transaction:UpdateItem:OUTBOX:password_change',
    'relay:start',
  ],
  audited: true,
  run: onAccount(async (target, it, options: PasswordOptions) => {
    const { runtime, actor } = target;
    const given = await passwordOf(options, it, runtime.settings);
    const after = await setPassword(runtime, it, given, actor);
    return withCredentials(target, it.username, shown(after, runtime));
  }),
};

export const code: Command = {
  name: 'account code <username>',
  description: 'create a one-time code that sets the password; standard output gets only the code',
  options: [
    option('--hours <n>', `validity, 1 to ${MAX_CODE_HOURS} hours; default: ${CODE_HOURS}`, Number),
    option('--end-passkeys', 'its use ends all passkeys of the account, too'),
  ],
  group: 'administrator',
  inputs: {},
  needs: [
    ACCOUNT,
    'transaction:ConditionCheckItem:ACCOUNT:session-guard',
    'transaction:UpdateItem:CODE',
    'table:UpdateItem:ACCOUNT:code',
  ],
  audited: true,
  run: onAccount(async ({ runtime, actor: { by } }, it, options: { hours?: number; endPasskeys?: true }) => {
    const { endPasskeys: end_passkeys, ...rest } = options;
    const created = await createCode(
      runtime,
      it,
      { by },
      {},
      parse(contract.body(), { ...rest, end_passkeys }),
    );
    const { code: stdout, ...details } = created;
    return new Output(created, { text: readable(details), stdout });
  }),
};

export const passwordCosts: Command = {
  name: 'account password-costs',
  description:
    'count password hashes by kind and cost, adapt the time of logins to the highest, and note which accounts of earlier versions have none',
  group: 'administrator',
  inputs: { table: 'logins take longer, up to the highest cost that a hash may have' },
  needs: [
    'index:GSI1:ACCOUNTS',
    'table:BatchGetItem:PASSWORD',
    'table:BatchGetItem:CODE',
    'table:UpdateItem:ACCOUNT:password-note',
    'table:GetItem:STATS',
    'table:PutItem:STATS',
  ],
  audited: true,
  run: async ({ runtime: { table } }) => {
    await notePasswords(table);
    return surveyCosts(table);
  },
};
