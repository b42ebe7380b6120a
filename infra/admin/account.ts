import { Argument, type Command, Option } from 'commander';
import { code } from '#lib/account/contracts';
import { createAccount } from '#lib/account/create';
import { createCode } from '#lib/account/create-code';
import { directoryItem } from '#lib/account/directory/item';
import { cancelAccount } from '#lib/account/lifecycle/cancel';
import { lockAccount, unlockAccount } from '#lib/account/lifecycle/lock';
import { reactivateAccount } from '#lib/account/lifecycle/reactivate';
import { CODE_HOURS, MAX_CODE_HOURS, MAX_REASON } from '#lib/account/limits';
import { auditedTerms, type LockTerms, lockTerms } from '#lib/account/lock-terms';
import { setLockoutEnabled } from '#lib/account/lockout-enabled';
import { changeMemberships, membershipDetails } from '#lib/account/memberships';
import { endSessions } from '#lib/account/reset-stamp';
import { type Account, liveTokens } from '#lib/item/account';
import { loginRefusals } from '#lib/login/refusals';
import { parse } from '#lib/parse';
import { surveyCosts } from '#lib/password/cost';
import { setPassword } from '#lib/password/set-password';
import { listCommand } from './account-list.ts';
import { sessionsCommand } from './account-sessions.ts';
import { type Force, LAST, leaving } from './administrators.ts';
import { AHEAD, ahead } from './audit.ts';
import { resetStampsCommand } from './bulk.ts';
import { type MembershipOptions, withGrants, withMemberships } from './membership-options.ts';
import type { Recorded } from './recording.ts';
import { Answer, readable, reading, run, usage } from './run.ts';
import { find } from './target.ts';
import { canRead, confirm, type PasswordOptions, passwordOf } from './terminal/ask.ts';

interface CreateOptions extends MembershipOptions, PasswordOptions {
  readonly lockout: boolean;
  readonly [name: string]: unknown;
}

/** Fields of a new account that have an option. */
const FIELDS = {
  user_first_name: new Option('--first-name <name>', 'first name; at most 128 characters'),
  user_last_name: new Option('--last-name <name>', 'last name; at most 128 characters'),
  phonenumber: new Option('--phone <number>', 'telephone number; at most 64 characters'),
  user_currency: new Option('--currency <code>', 'currency, an ISO 4217 code').default('EUR'),
  user_color: new Option('--color <hex>', 'colour such as #1A2B3C; by default chosen by the username'),
  user_short: new Option('--short <initials>', 'initials; at most 8 characters; by default from the name'),
};

export function accountCommands(program: Command): void {
  const account = program.command('account').description('accounts, their passwords and permissions');

  const create = withGrants(account.command('create <username>'));
  for (const option of Object.values(FIELDS)) create.addOption(option);
  create
    .description('create an account; the first --app and --team are its defaults')
    .option('--password', 'prompt for the password; by default there is none')
    .option('--password-stdin', 'read the password from standard input')
    .option('--no-lockout', 'never lock the password temporarily after failed logins')
    .hook(
      'preAction',
      usage<PasswordOptions>((options) => (options.password ? canRead(options) : undefined)),
    )
    .action(run(createOne));

  account
    .command('show <username>')
    .description('show an account, and why its logins are refused at the moment')
    .action(
      reading(async (target, username: string) => {
        const account = await find(target, username);
        const login_refusals = await loginRefusals(target.runtime, account);
        return shown(account, target.runtime.now(), { login_refusals });
      }),
    );

  listCommand(account);
  sessionsCommand(account);
  passwordCommands(account);
  stateCommands(account);

  account
    .command('password-costs')
    .description('count password hashes by kind and cost, and adapt the time of logins to the highest')
    .action(run(({ runtime }) => surveyCosts(runtime.table)));

  membershipCommands(account);
}

function passwordCommands(account: Command): void {
  account
    .command('password <username>')
    .description('prompt for a new password and set it; all sessions end')
    .option('--password-stdin', 'read the password from standard input')
    .hook('preAction', usage(canRead))
    .action(
      updating(async ({ runtime, actor }, it, options: PasswordOptions) => {
        await setPassword(runtime, it, await passwordOf(options), actor);
        return it;
      }),
    );

  account
    .command('code <username>')
    .description('create a one-time code that sets the password; standard output gets only the code')
    .option('--hours <n>', `validity, 1 to ${MAX_CODE_HOURS} hours; default: ${CODE_HOURS}`, Number)
    .action(
      onAccount(async ({ runtime }, it, options: { hours?: number }) => {
        const created = await createCode(runtime, it, {}, parse(code.body(), options));
        const { code: output, ...details } = created;
        return new Answer(created, { text: readable(details), output });
      }),
    );

  account
    .command('reset-stamp <username>')
    .description('change the security stamp; all sessions end')
    .action(updating(({ runtime }, it) => endSessions(runtime, it).then(() => it)));

  resetStampsCommand(account);
}

function stateCommands(account: Command): void {
  account
    .command('reactivate <username>')
    .description('make a cancelled account active again')
    .option('--revoke-tokens', 'delete its API tokens; by default they work again')
    .action(
      onAccount(({ runtime, actor }, it, { revokeTokens }: { revokeTokens?: true }) =>
        reactivateAccount(runtime, it, actor, { revoke_tokens: revokeTokens }),
      ),
    );

  account
    .command('lock <username>')
    .description('lock an account until an unlock or --until; its sessions end, its credentials are refused')
    .option('--reason <text>', `shown to administrators; at most ${MAX_REASON} characters`)
    .option('--until <time>', `end of the lock: ${AHEAD}`, ahead)
    .option('--force', LAST)
    .action(
      onLeaving(({ runtime, actor, note }, it, { reason, until }: LockTerms & Force) => {
        const terms = parse(lockTerms(), { reason, until: until && new Date(until).toISOString() });
        note(auditedTerms(terms));
        return lockAccount(runtime, it, actor, terms);
      }),
    );

  account
    .command('unlock <username>')
    .description('end a lock or a temporary lockout, and forget failed logins')
    .action(
      onAccount(async ({ runtime, actor }, it) => {
        const lifted = (await loginRefusals(runtime, it)).filter((reason) => reason !== 'cancelled');
        return { ...(await unlockAccount(runtime, it, actor)), lifted };
      }),
    );

  account
    .command('cancel <username>')
    .description('cancel an account; its sessions end, its credentials are refused, subscribers clean up')
    .option('--yes', 'do not prompt for confirmation')
    .option('--force', LAST)
    .action(
      onLeaving(async ({ runtime, actor }, it, { yes }: { yes?: true } & Force) => {
        await confirm(
          `Cancelling ${it.username} ends its sessions, disables its password and its API tokens (${liveTokens(it, runtime.now())}), and lets subscribers of user_cancel clean up after it. "account reactivate" undoes this, except for the sessions and the work of subscribers.`,
          yes,
        );
        return cancelAccount(runtime, it, actor);
      }),
    );

  account
    .command('lockout <username>')
    .description('turn the temporary lockout after failed logins on or off')
    .addArgument(new Argument('<switch>', 'on or off').choices(['on', 'off']))
    .action(
      updating(({ runtime }, it, state: string) => setLockoutEnabled(runtime.table, it, state === 'on')),
    );
}

function membershipCommands(account: Command): void {
  for (const name of ['add', 'remove'] as const) {
    const command = account.command(`${name} <username>`);
    (name === 'add' ? withGrants(command) : withMemberships(command).option('--force', LAST))
      .description(`${name} roles, teams and applications`)
      .hook('preAction', usage(namesSome))
      .action(
        onAccount(async (target, it, options: MembershipOptions) => {
          const demotes = name === 'remove' && options.role?.includes('sys_administrator');
          const { runtime } = demotes ? await leaving(target, it, options) : target;
          const { before, after } = await changeMemberships(runtime.table, it, {
            [name]: { apps: options.app, roles: options.role, teams: options.team },
          });
          const details = membershipDetails(after, before);
          target.note(details);
          return shown(after, runtime.now(), { changed: Object.keys(details).length > 0 });
        }),
      );
  }
}

async function createOne({ runtime, actor, note }: Recorded, username: string, options: CreateOptions) {
  const input = {
    username,
    password: options.passwordStdin || options.password ? await passwordOf(options) : undefined,
    ...Object.fromEntries(
      Object.entries(FIELDS).map(([field, option]) => [field, options[option.attributeName()]]),
    ),
    lockoutenabled: options.lockout,
    apps: options.app,
    roles: options.role,
    teams: options.team,
  };
  const account = await createAccount(runtime, input, { publish: runtime.publish, actor });
  note(membershipDetails(account));
  return shown(account, runtime.now());
}

/** The directory item, which only counts memberships, and their names. */
function shown(account: Account, now: number, more: object = {}): Answer {
  const item = { ...directoryItem(account, now), ...more };
  const { roles, apps, teams } = account;
  const memberships = { roles, apps, teams: teams.map(({ team_short }) => team_short) };
  return new Answer({ ...item, memberships }, { text: readable({ ...item, ...memberships }) });
}

/** A command that changes an existing account. */
const onAccount = <Options>(work: (target: Recorded, it: Account, options: Options) => Promise<object>) =>
  run(async (target, username: string, options: Options) =>
    work(target, await find(target, username), options),
  );

/** A command after which an existing account is no longer an administrator. */
const onLeaving = <Options extends Force>(work: Parameters<typeof onAccount<Options>>[0]) =>
  onAccount<Options>(async (target, it, options) => work(await leaving(target, it, options), it, options));

/** A command that changes an existing account and answers its directory item. */
const updating = <Options>(work: (target: Recorded, it: Account, options: Options) => Promise<Account>) =>
  onAccount(async (target, account, options: Options) =>
    shown(await work(target, account, options), target.runtime.now()),
  );

const namesSome = ({ app, role, team }: MembershipOptions) =>
  app || role || team ? undefined : 'name at least one --role, --team or --app';
