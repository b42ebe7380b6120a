import { instanceInfo } from '../../instance/info.ts';
import { type Account, isLocked } from '../../item/account.ts';
import { fieldsOf, shownFields } from '../../item/fields.ts';
import type { LoginBlock } from '../../item/login-attempts.ts';
import { membershipSchema } from '../../item/team.ts';
import type { Runtime } from '../../runtime.ts';
import { sameUsername } from '../account.ts';
import { openCodeOf } from '../open-code.ts';
import { type Properties, readProperties } from '../properties.ts';
import { PROFILE_PARTS, type ProfilePart } from './schema.ts';

const fields = fieldsOf(shownFields);
/** A membership as a profile shows it. */
export const membership = fieldsOf(membershipSchema);

/** The primary user object of a profile at the time `now`. */
export const profileUser = (account: Account, user_properties: Properties, now: number) => ({
  ...fields(account),
  isactive: account.isactive,
  islocked: isLocked(account, now),
  user_properties,
});

/** An account that reads a profile, with the roles that count for its credential. */
interface Reader {
  readonly username: string;
  readonly roles: readonly string[];
  /** Reads the lockout by failed logins of an account, which the modules above this one know; none by default. */
  readonly blockOf?: (runtime: Runtime, account: Account) => Promise<LoginBlock | null>;
}

/**
 * The parts of a profile that `pscope` selects: all without it, only the user for `user`, and otherwise the instance,
 * the user and the named parts. Where the user is asked for, administrators also see whether a one-time code is open, and
 * of others whether failed logins lock them out.
 */
export async function readProfile(
  runtime: Runtime,
  account: Account,
  pscope: readonly ProfilePart[] | undefined,
  reader: Reader,
) {
  const { table, settings, now } = runtime;
  const parts = partsOf(pscope);
  const showsCode =
    reader.roles.includes('sys_administrator') && (pscope === undefined || pscope.includes('user'));
  const showsBlock = showsCode && !sameUsername(reader.username, account.username);
  const [properties, code, login_block] = await Promise.all([
    readProperties(table, account.username),
    showsCode ? openCodeOf(runtime, account) : {},
    showsBlock ? reader.blockOf?.(runtime, account) : undefined,
  ]);
  const user = {
    ...profileUser(account, properties, now()),
    ...code,
    ...(login_block !== undefined && { login_block }),
  };
  return {
    ...(parts.has('instance') ? { instance: instanceInfo(settings) } : {}),
    user,
    ...(parts.has('teams') ? { teams: account.teams.map(membership) } : {}),
    ...(parts.has('roles') ? { roles: account.roles } : {}),
    ...(parts.has('apps') ? { apps: account.apps } : {}),
  };
}

/**
 * The attributes of the account item from which the user of a profile is computed. The number of transitions represents
 * its state, and a username never changes.
 */
export function attributesOfUser(account: Account): Partial<Account> {
  const names = ['transitions', ...Object.keys(shownFields().shape)] as (keyof Account)[];
  return Object.fromEntries(names.flatMap((name) => (name === 'username' ? [] : [[name, account[name]]])));
}

function partsOf(named: readonly ProfilePart[] = PROFILE_PARTS): ReadonlySet<ProfilePart> {
  const parts = new Set(named);
  return parts.size === 1 && parts.has('user') ? parts : new Set(['instance', 'user', ...named]);
}
