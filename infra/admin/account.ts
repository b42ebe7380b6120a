import { Argument, type Command } from 'commander';
import { readAccount } from '#lib/account/account';
import { createAccount } from '#lib/account/create';
import { directoryItem } from '#lib/account/directory/item';
import { isUsername } from '#lib/account/identifiers';
import { cancelAccount } from '#lib/account/lifecycle/cancel';
import { lockAccount, unlockAccount } from '#lib/account/lifecycle/lock';
import { reactivateAccount } from '#lib/account/lifecycle/reactivate';
import { setLockoutEnabled } from '#lib/account/lockout-enabled';
import { addMemberships, removeMemberships } from '#lib/account/memberships';
import { resetStamp } from '#lib/account/reset-stamp';
import { Failure } from '#lib/failure';
import type { Account } from '#lib/item/account';
import { surveyCosts } from '#lib/password/cost';
import { movePasswords, setPassword } from '#lib/password/set-password';
import { confirm } from './bulk/confirm.ts';
import { resetStampsCommand } from './bulk/reset-stamps.ts';
import { listCommand } from './directory/list.ts';
import {
  allowingUnknownRoles,
  type MembershipOptions,
  membershipsOf,
  withKnownRoles,
  withMemberships,
} from './membership-options.ts';
import { Detailed, reading, run } from './run.ts';
import type { Target } from './target.ts';
import { type PasswordOptions, passwordOf, withPassword } from './terminal/password.ts';

interface CreateOptions extends MembershipOptions, PasswordOptions {
  readonly firstName?: string;
  readonly lastName?: string;
  readonly phone?: string;
  readonly currency?: string;
  readonly color?: string;
  readonly short?: string;
  readonly lockout: boolean;
}

/** `admin account ...`; each command answers the directory item. */
export function accountCommands(program: Command): void {
  const account = program.command('account').description('accounts, their passwords and what they may do');

  allowingUnknownRoles(withMemberships(account.command('create <username>')))
    .description('create an account; the first --app and --team are its defaults')
    .option('--password', 'ask for the password, unseen; without it there is none')
    .option('--password-stdin', 'read the password from standard input')
    .option('--first-name <name>', 'at most 128 characters')
    .option('--last-name <name>', 'at most 128 characters')
    .option('--phone <number>', 'at most 64 characters')
    .option('--currency <code>', 'ISO 4217', 'EUR')
    .option('--color <hex>', 'such as #1A2B3C')
    .option('--short <initials>', 'at most 8 characters; the initials unless told')
    .option('--no-lockout', 'never lock the password for a time after failed logins')
    .action(withKnownRoles(withPassword(run(create), ({ password }) => password === true)));

  account
    .command('show <username>')
    .description('show an account')
    .action(reading(onAccount(async (_, it) => it)));

  listCommand(account);

  account
    .command('password <username>')
    .description('set the password, and ask for it, unseen; all sessions end')
    .option('--password-stdin', 'read the password from standard input')
    .action(
      withPassword(
        run(
          onAccount(async ({ runtime }, it, options: PasswordOptions) => {
            await setPassword(runtime, it, await passwordOf(options));
            return it;
          }),
        ),
      ),
    );

  account
    .command('reset-stamp <username>')
    .description('change the security stamp; all sessions end')
    .action(
      run(
        onAccount(async ({ runtime }, it) => {
          await resetStamp(runtime, it);
          return it;
        }),
      ),
    );

  resetStampsCommand(account);

  account
    .command('reactivate <username>')
    .description('make a cancelled account active again')
    .option('--revoke-tokens', 'delete its API tokens, which work again otherwise')
    .action(
      run(async ({ runtime, actor }, username: string, { revokeTokens }: { revokeTokens?: true }) =>
        reactivateAccount(runtime, await find({ runtime }, username), actor, { revoke_tokens: revokeTokens }),
      ),
    );

  account
    .command('lock <username>')
    .description('lock until it is unlocked; all sessions end, and no credential works')
    .action(
      run(async ({ runtime, actor }, username: string) =>
        lockAccount(runtime, await find({ runtime }, username), actor),
      ),
    );

  account
    .command('cancel <username>')
    .description('cancel; all sessions end, no credential works, and subscribers clean up after it')
    .option('--yes', 'do not ask')
    .action(
      run(async ({ runtime, actor }, username: string, { yes }: { yes?: true }) => {
        const account = await find({ runtime }, username);
        await confirm(
          `${account.username} is cancelled: its sessions end, its password and its API tokens (${account.token_count}) no longer work, and subscribers of user_cancel clean up after it. "account reactivate" takes back all but the sessions and what subscribers have done.`,
          yes,
        );
        return cancelAccount(runtime, account, actor);
      }),
    );

  account
    .command('unlock <username>')
    .description('end a lockout of either kind, and forget failed logins')
    .action(
      run(async ({ runtime, actor }, username: string) =>
        unlockAccount(runtime, await find({ runtime }, username), actor),
      ),
    );

  account
    .command('lockout <username>')
    .description('say whether failed logins lock the password for a time')
    .addArgument(new Argument('<switch>').choices(['on', 'off']))
    .action(
      run(async ({ runtime }, username: string, state: string) => {
        const changed = await setLockoutEnabled(
          runtime.table,
          await find({ runtime }, username),
          state === 'on',
        );
        return shown(changed, runtime.now());
      }),
    );

  account
    .command('password-costs')
    .description('count passwords by the cost of their hash; from now on logins take as long as the dearest')
    .action(run(({ runtime }) => surveyCosts(runtime.table)));

  account
    .command('move-passwords')
    .description('move the password hashes of an earlier version to where only login can read them')
    .action(run(({ runtime }) => movePasswords(runtime.table)));

  allowingUnknownRoles(withMemberships(account.command('add <username>')))
    .description('give roles, teams and applications')
    .action(
      withKnownRoles(
        withSome(
          run(
            onAccount(({ runtime }, it, options: MembershipOptions) =>
              addMemberships(runtime.table, it, membershipsOf(options)),
            ),
          ),
        ),
      ),
    );

  withMemberships(account.command('remove <username>'))
    .description('take roles, teams and applications')
    .action(
      withSome(
        run(
          onAccount(({ runtime }, it, options: MembershipOptions) =>
            removeMemberships(runtime.table, it, membershipsOf(options)),
          ),
        ),
      ),
    );
}

async function create({ runtime, actor }: Target, username: string, options: CreateOptions) {
  const { app, role, team } = options;
  const input = {
    username,
    password: options.passwordStdin || options.password ? await passwordOf(options) : undefined,
    user_first_name: options.firstName,
    user_last_name: options.lastName,
    phonenumber: options.phone,
    user_currency: options.currency,
    user_color: options.color,
    user_short: options.short,
    lockoutenabled: options.lockout,
    apps: app,
    roles: role,
    teams: team,
  };
  const account = await createAccount(runtime, input, { publish: runtime.publish, actor });
  return shown(account, runtime.now());
}

/** @throws Failure `account_not_found` */
export async function find({ runtime }: Pick<Target, 'runtime'>, username: string): Promise<Account> {
  const account = isUsername(username) ? await readAccount(runtime.table, username) : undefined;
  if (!account) throw new Failure('account_not_found');
  return account;
}

/** The directory item, which only counts what an account may do; people see what it is. */
const shown = (account: Account, now: number) =>
  new Detailed(directoryItem(account, now), {
    roles: account.roles,
    apps: account.apps,
    teams: account.teams.map(({ team_short }) => team_short),
  });

/** Refuses a command that names nothing to give or take. */
const withSome =
  (action: (username: string, options: MembershipOptions, command: Command) => Promise<void>) =>
  (username: string, options: MembershipOptions, command: Command) => {
    if (!options.app && !options.role && !options.team)
      command.error('error: name at least one --role, --team or --app');
    return action(username, options, command);
  };

/** A command on an existing account that answers its directory item. */
const onAccount =
  <Options>(work: (target: Target, account: Account, options: Options) => Promise<Account>) =>
  async (target: Target, username: string, options: Options) =>
    shown(await work(target, await find(target, username), options), target.runtime.now());
